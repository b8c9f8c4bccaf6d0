import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { UserMemory } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { Written } from "../../conversation/message.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/form/fields.tsx";
import { Time } from "../../parts/time.tsx";
import { CorrectMemory } from "./correct-memory.tsx";

type MemoryRowProps = {
  readonly memory: UserMemory;
  readonly showsUser: boolean;
  readonly isChosen: boolean;
  readonly onChoose?: (isChosen: boolean) => void;
  readonly onRemove?: () => void;
};

/** One memory, and what may be done with it. */
export function MemoryRow({ memory, showsUser, isChosen, onChoose, onRemove }: MemoryRowProps) {
  const may = useMay();
  const [isCorrecting, setCorrecting] = useState(false);
  const { memory: text, topics, agent_id, team_id, user_id, updated_at } = memory;
  const writer = agent_id ?? team_id;
  const short = text.slice(0, 60);
  return (
    <li className="card kept">
      {onChoose && <Checkbox aria-label={`Select ${short}`} isSelected={isChosen} onChange={onChoose} />}
      <div className="kept-text stack-tight">
        <Written text={text} />
        <div className="kept-foot">
          {showsUser && user_id !== null && (
            <Link href={addressOf("/memories", { user: user_id })}>{user_id}</Link>
          )}
          {(topics ?? []).map((topic) => (
            <Badge key={topic} tone="plain">
              {topic}
            </Badge>
          ))}
          {writer !== null && <span>by {writer}</span>}
          {updated_at !== null && (
            <span>
              changed <Time at={updated_at} />
            </span>
          )}
        </div>
      </div>
      <div className="kept-acts">
        {may("memories:write") && (
          <Button
            kind="plain"
            size="small"
            icon={<Pencil size={14} aria-hidden />}
            label={`Correct: ${short}`}
            onPress={() => setCorrecting(true)}
          />
        )}
        {onRemove && (
          <Button
            kind="plain"
            size="small"
            icon={<Trash2 size={14} aria-hidden />}
            label={`Delete: ${short}`}
            onPress={onRemove}
          />
        )}
      </div>
      {isCorrecting && <CorrectMemory memory={memory} onClose={() => setCorrecting(false)} />}
    </li>
  );
}
