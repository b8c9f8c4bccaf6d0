import { Bookmark } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useSavedViews } from "../../../api/saved-views.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextField } from "../../../parts/form/fields.tsx";

/** The views that a reader has saved: filters, order and columns, as the address has them. */
export function ViewMenu() {
  const { views, save, remove } = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const here = `${location.pathname.replace(/^\/console/, "")}${location.search}`;
  const keep = () => {
    save({ name: name.trim(), to: here });
    setName("");
  };
  return (
    <>
      <Button icon={<Bookmark size={14} aria-hidden />} onPress={() => setOpen(true)}>
        Views
      </Button>
      <Dialog title="Saved views" isOpen={isOpen} onClose={() => setOpen(false)}>
        {views.length === 0 ? (
          <p className="soft">A view keeps filters, order and columns under a name, for you alone.</p>
        ) : (
          <ul className="view-list">
            {views.map((view) => (
              <li key={view.name} className="row row-spread">
                <Link href={view.to} onClick={() => setOpen(false)}>
                  {view.name}
                </Link>
                <Button
                  kind="plain"
                  size="small"
                  aria-label={`Remove the view ${view.name}`}
                  onPress={() => remove(view.name)}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <form
          className="stack-tight"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) keep();
          }}
        >
          <TextField label="Name of what is shown now" value={name} onChange={setName} maxLength={60} />
          <div className="dialog-actions">
            <Button onPress={() => setOpen(false)}>Close</Button>
            <Button kind="main" type="submit" isDisabled={name.trim() === ""}>
              Save this view
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
