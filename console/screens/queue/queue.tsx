import { Page } from "../../parts/page.tsx";

export default function Queue() {
  return <Page title="Queue">…</Page>;
}
