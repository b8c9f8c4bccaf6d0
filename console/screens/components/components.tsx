import { Page } from "../../parts/page.tsx";

export default function Components() {
  return <Page title="Components">…</Page>;
}
