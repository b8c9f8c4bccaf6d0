import {
  Activity,
  BookOpen,
  Boxes,
  CalendarClock,
  ChartNoAxesColumn,
  FlaskConical,
  House,
  KeyRound,
  ListTree,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  NotebookPen,
  ScrollText,
  Server,
  ShieldCheck,
  Webhook,
} from "lucide-react";
import { type ComponentType, lazy } from "react";
import { runReadingScopes } from "../access/use-me.ts";
import { loadPart } from "../api/load-part.ts";

export type Screen = {
  readonly path: string;
  /** Further paths of the same screen. */
  readonly more?: readonly string[];
  readonly title: string;
  readonly icon: LucideIcon;
  readonly group: "Now" | "Build" | "Know" | "Operate";
  /** Without any of these scopes the screen is not offered. */
  readonly scopes: readonly string[];
  /** Keys of the keyboard, one after the other, that lead there. */
  readonly keys: string;
  /** Address of its search, where that is not on the screen itself; `/` leads there. */
  readonly search?: string;
  readonly load: ComponentType;
};

/** Every screen, in the order of the navigation; each is loaded when it is first opened. */
export const screens: readonly Screen[] = [
  {
    path: "/",
    title: "Home",
    icon: House,
    group: "Now",
    scopes: [],
    keys: "g h",
    search: "/runs",
    load: lazy(() => loadPart(() => import("../screens/home/home.tsx"))),
  },
  {
    path: "/runs",
    more: ["/runs/:kind/:component/:session/:run"],
    title: "Runs",
    icon: Activity,
    group: "Now",
    scopes: runReadingScopes,
    keys: "g r",
    load: lazy(() => loadPart(() => import("../screens/runs/runs.tsx"))),
  },
  {
    path: "/approvals",
    title: "Approvals",
    icon: ShieldCheck,
    group: "Now",
    scopes: ["approvals:read"],
    keys: "g a",
    load: lazy(() => loadPart(() => import("../screens/approvals/approvals.tsx"))),
  },
  {
    path: "/queue",
    title: "Queue",
    icon: ListTree,
    group: "Now",
    scopes: ["platform:admin"],
    keys: "g q",
    load: lazy(() => loadPart(() => import("../screens/queue/queue.tsx"))),
  },
  {
    path: "/playground",
    more: ["/playground/*"],
    title: "Playground",
    icon: MessageCircle,
    group: "Build",
    scopes: ["agents:run", "teams:run", "workflows:run"],
    keys: "g p",
    load: lazy(() => loadPart(() => import("../screens/playground/playground.tsx"))),
  },
  {
    path: "/components",
    more: ["/components/:component"],
    title: "Components",
    icon: Boxes,
    group: "Build",
    scopes: ["components:read"],
    keys: "g c",
    load: lazy(() => loadPart(() => import("../screens/components/components.tsx"))),
  },
  {
    path: "/schedules",
    more: ["/schedules/:schedule"],
    title: "Schedules",
    icon: CalendarClock,
    group: "Build",
    scopes: ["schedules:read"],
    keys: "g t",
    load: lazy(() => loadPart(() => import("../screens/schedules/schedules.tsx"))),
  },
  {
    path: "/evaluations",
    more: ["/evaluations/:evaluation", "/evaluations/datasets/:dataset"],
    title: "Evaluations",
    icon: FlaskConical,
    group: "Build",
    scopes: ["evals:read"],
    keys: "g e",
    load: lazy(() => loadPart(() => import("../screens/evaluations/evaluations.tsx"))),
  },
  {
    path: "/sessions",
    more: ["/sessions/:session"],
    title: "Sessions",
    icon: MessagesSquare,
    group: "Know",
    scopes: ["sessions:read"],
    keys: "g s",
    load: lazy(() => loadPart(() => import("../screens/sessions/sessions.tsx"))),
  },
  {
    path: "/knowledge",
    more: ["/knowledge/:base"],
    title: "Knowledge",
    icon: BookOpen,
    group: "Know",
    scopes: ["knowledge:read"],
    keys: "g k",
    search: "/knowledge?view=search",
    load: lazy(() => loadPart(() => import("../screens/knowledge/knowledge.tsx"))),
  },
  {
    path: "/memories",
    title: "Memories",
    icon: NotebookPen,
    group: "Know",
    scopes: ["memories:read", "learnings:read"],
    keys: "g m",
    load: lazy(() => loadPart(() => import("../screens/memories/memories.tsx"))),
  },
  {
    path: "/metrics",
    title: "Metrics",
    icon: ChartNoAxesColumn,
    group: "Operate",
    scopes: ["metrics:read"],
    keys: "g n",
    search: "/runs",
    load: lazy(() => loadPart(() => import("../screens/metrics/metrics.tsx"))),
  },
  {
    path: "/access",
    title: "Access",
    icon: KeyRound,
    group: "Operate",
    scopes: [],
    keys: "g u",
    search: "/runs",
    load: lazy(() => loadPart(() => import("../screens/access/access.tsx"))),
  },
  {
    path: "/audit",
    title: "Audit",
    icon: ScrollText,
    group: "Operate",
    scopes: ["audit:read"],
    keys: "g l",
    load: lazy(() => loadPart(() => import("../screens/audit/audit.tsx"))),
  },
  {
    path: "/webhooks",
    title: "Webhooks",
    icon: Webhook,
    group: "Operate",
    scopes: ["webhooks:read"],
    keys: "g w",
    search: "/runs",
    load: lazy(() => loadPart(() => import("../screens/webhooks/webhooks.tsx"))),
  },
  {
    path: "/system",
    title: "System",
    icon: Server,
    group: "Operate",
    scopes: [],
    keys: "g y",
    search: "/runs",
    load: lazy(() => loadPart(() => import("../screens/system/system.tsx"))),
  },
];

export const groups = ["Now", "Build", "Know", "Operate"] as const;
