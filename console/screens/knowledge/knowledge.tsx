import { Page } from "../../parts/page.tsx";

export default function Knowledge() {
  return <Page title="Knowledge">…</Page>;
}
