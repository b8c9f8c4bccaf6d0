import { Page } from "../../parts/page.tsx";

export default function System() {
  return <Page title="System">…</Page>;
}
