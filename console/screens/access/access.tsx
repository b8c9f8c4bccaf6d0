import { Page } from "../../parts/page.tsx";

export default function Access() {
  return <Page title="Access">…</Page>;
}
