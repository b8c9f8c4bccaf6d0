import { NotebookPen } from "lucide-react";
import type { Operations } from "../../../client/index.ts";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countText } from "../../parts/amounts.ts";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView } from "../../parts/list/list-view.tsx";
import { Time } from "../../parts/time.tsx";

type UserRow = Operations["listUserMemoryStats"]["answer"]["data"][number];

/** Whom agents remember, for admins; each leads to their memories. */
export function MemoryUsers() {
  const list = usePagedList<UserRow>({
    key: ["memories", "users"],
    read: (page, signal) => platform.listUserMemoryStats({ query: page }, { signal }),
    idOf: ({ user_id }) => user_id,
  });
  return (
    <ListView
      label="People with memories"
      list={list}
      keyOf={({ user_id }) => user_id}
      columns={columns}
      to={({ user_id }) => addressOf("/memories", { user: user_id })}
      empty={noMemories}
    />
  );
}

const noMemories: Emptiness = {
  title: "No memories yet",
  icon: NotebookPen,
  text: "Agents whose memory is on keep here what they should know of a person the next time.",
};

const columns: readonly Column<UserRow>[] = [
  {
    id: "user",
    title: "User",
    width: "minmax(120px, 1fr)",
    cell: ({ user_id }) => <div className="cut">{user_id}</div>,
  },
  {
    id: "count",
    title: "Memories",
    width: "80px",
    end: true,
    cell: ({ total_memories }) => countText(total_memories),
  },
  {
    id: "changed",
    title: "Last change",
    width: "96px",
    end: true,
    cell: ({ last_memory_updated_at: at }) =>
      at === null ? <span className="faint">–</span> : <Time at={at} />,
  },
];
