import { Page } from "../../parts/page.tsx";

export default function Sessions() {
  return <Page title="Sessions">…</Page>;
}
