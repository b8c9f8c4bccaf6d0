import { Page } from "../../parts/page.tsx";

export default function Schedules() {
  return <Page title="Schedules">…</Page>;
}
