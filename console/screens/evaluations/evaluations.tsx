import { Page } from "../../parts/page.tsx";

export default function Evaluations() {
  return <Page title="Evaluations">…</Page>;
}
