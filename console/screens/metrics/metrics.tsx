import { Page } from "../../parts/page.tsx";

export default function Metrics() {
  return <Page title="Metrics">…</Page>;
}
