using System.Runtime.CompilerServices;

namespace MqttCheck.Automata.Engine;

/// <summary>The assignments of a step.</summary>
internal sealed partial class NetworkRun
{
    private readonly List<(int Place, double Value)> _pending = [];
    private readonly CompiledDestination[] _taken;

    private void AssignOneByOne(CompiledAssignment[] assignments)
    {
        foreach (var assignment in assignments)
        {
            var place = PlaceOf(assignment);
            Values[place] = ValueOf(assignment);
        }
    }

    // Groups in ascending order; the assignments of all automata in a group at once.
    private void AssignTogether(ChannelPart[] parts, int count)
    {
        for (var order = long.MinValue; count > 0; )
        {
            var next = long.MaxValue;
            for (var part = 0; part < parts.Length; part++)
            {
                foreach (var assignment in _taken[part].Assignments)
                    if (assignment.Order > order)
                        next = Math.Min(next, assignment.Order);
            }
            order = next;
            _pending.Clear();
            for (var part = 0; part < parts.Length; part++)
            {
                LookAt(parts[part].Automaton);
                foreach (var assignment in _taken[part].Assignments)
                    if (assignment.Order == order)
                        _pending.Add((PlaceOf(assignment), ValueOf(assignment)));
            }
            foreach (var (place, value) in _pending)
                Values[place] = value;
            count -= _pending.Count;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int PlaceOf(CompiledAssignment assignment)
    {
        var place = assignment.Own ? First + assignment.Place : assignment.Place;
        return assignment.Element is null
            ? place
            : place
                + NetworkNode.ReadElement.Index(assignment.Name, assignment.Length, assignment.Element.Evaluate(this));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private double ValueOf(CompiledAssignment assignment)
    {
        if (assignment.Clock)
            return Now;
        var value = assignment.Value.Evaluate(this);
        return
            value >= assignment.Lower && value <= assignment.Upper && (!assignment.Whole || value == Math.Floor(value))
            ? value
            : throw NotAllowed(assignment, value);
    }

    private InputException NotAllowed(CompiledAssignment assignment, double value) =>
        Error(
            $"{assignment.Name} of {_network.Automata[_drawing].Name} gets the value {value:R}; "
                + $"allowed: {(assignment.Whole ? "an integer" : "a number")} "
                + $"in {assignment.Lower:R} .. {assignment.Upper:R}"
        );
}
