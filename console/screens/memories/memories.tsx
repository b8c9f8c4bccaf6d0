import { Page } from "../../parts/page.tsx";

export default function Memories() {
  return <Page title="Memories">…</Page>;
}
