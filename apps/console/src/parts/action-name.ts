import { useText } from '../text';

/** An action as a person says it; one that is not known, as the service calls it. */
export function useActionName(): (action: string) => string {
  const { activity } = useText();
  return (action) => {
    const [object = '', verb = ''] = action.split('.');
    const verbName = activity.verbs[verb];
    return verbName === undefined ? action : activity.done(activity.objects[object] ?? object, verbName);
  };
}
