import { Page } from "../../parts/page.tsx";

export default function Playground() {
  return <Page title="Playground">…</Page>;
}
