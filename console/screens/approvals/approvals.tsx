import { Page } from "../../parts/page.tsx";

export default function Approvals() {
  return <Page title="Approvals">…</Page>;
}
