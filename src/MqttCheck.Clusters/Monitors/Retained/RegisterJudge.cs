using System.Numerics;
using System.Runtime.InteropServices;

namespace MqttCheck.Clusters.Monitors.Retained;

/// <summary>
/// Decides whether a history of one register is linearizable: whether each operation can take effect at one time
/// between its call and its return, so that every read gives the write before it.
/// </summary>
/// <remarks>
/// The history is walked in order of time (Wing and Gong, with the memory of Lowe). A state is the value and which open
/// operations have taken effect. A write takes effect only when an answer asks for it. A read does so as soon as its
/// value is there, which never hurts, since it changes nothing.
/// </remarks>
internal sealed class RegisterJudge
{
    // So many states come from dozens of writes at once that nobody acknowledged. Then nothing is decided.
    private const int MostStates = 200_000;
    private const int MostOpen = 64;

    private readonly IReadOnlyList<RegisterOperation> _operations;
    private readonly Dictionary<long, int> _readsToCome = [];
    private readonly int[] _slots;
    private readonly int[] _open = new int[MostOpen];
    private ulong _used;
    private HashSet<State> _states = [new State(RegisterOperation.Nothing, 0)];

    private RegisterJudge(IReadOnlyList<RegisterOperation> operations)
    {
        _operations = operations;
        _slots = new int[operations.Count];
    }

    /// <summary>Judges a history.</summary>
    /// <param name="operations">The operations in any order. A read has an answer.</param>
    /// <returns>
    /// Whether it is linearizable, null if that takes too long; and the index of the operation whose answer shows that
    /// it is not, or -1.
    /// </returns>
    public static (bool? IsLinearizable, int Shown) Judge(IReadOnlyList<RegisterOperation> operations) =>
        new RegisterJudge(operations).Judge();

    /// <summary>The smallest part of a history that is not linearizable, which greedy removal finds.</summary>
    /// <param name="operations">A history that is not linearizable.</param>
    /// <param name="shown">The index of the operation that shows it.</param>
    /// <returns>Operations in order of their calls.</returns>
    public static IReadOnlyList<RegisterOperation> Shortest(IReadOnlyList<RegisterOperation> operations, int shown)
    {
        var last = operations[shown];
        // Later operations have no part in it. A write and its reads stay together, or a read would have none.
        var groups = operations
            .Where(one => one.Called <= last.Returned)
            .GroupBy(one => one.Value)
            .OrderBy(group => group.Min(one => one.Called))
            .Select(group => group.ToList())
            .ToList();
        for (var size = Math.Max(1, groups.Count / 2); ; size = Math.Max(1, size / 2))
        {
            var before = groups.Count;
            for (var at = groups.Count - size; at > -size; at -= size)
            {
                var from = Math.Max(0, at);
                var rest = groups.Where((_, index) => index < from || index >= at + size).ToList();
                if (IsWrong(rest.SelectMany(group => group)))
                    groups = rest;
            }
            if (size == 1 && groups.Count == before)
                break;
        }
        List<RegisterOperation> kept = [.. groups.SelectMany(group => group).OrderBy(one => one.Called)];
        foreach (var read in kept.Where(one => !one.IsWrite).ToList())
        {
            var index = kept.IndexOf(read);
            if (IsWrong(kept.Where((_, place) => place != index)))
                kept.RemoveAt(index);
        }
        return kept;
    }

    private static bool IsWrong(IEnumerable<RegisterOperation> operations) =>
        Judge([.. operations]).IsLinearizable == false;

    private (bool? IsLinearizable, int Shown) Judge()
    {
        var steps = new List<(long At, bool IsReturn, int Operation)>(2 * _operations.Count);
        for (var index = 0; index < _operations.Count; index++)
        {
            var operation = _operations[index];
            steps.Add((operation.Called, false, index));
            if (operation.Returned != RegisterOperation.Never)
                steps.Add((operation.Returned, true, index));
            if (!operation.IsWrite)
                CollectionsMarshal.GetValueRefOrAddDefault(_readsToCome, operation.Value, out _)++;
        }
        // An operation that is called at the time of a return may have happened before it.
        steps.Sort();
        foreach (var (_, isReturn, operation) in steps)
        {
            if (!isReturn)
            {
                if (!Call(operation))
                    return (null, -1);
                continue;
            }
            if (!Return(operation))
                return (null, -1);
            if (_states.Count == 0)
                return (false, operation);
        }
        return (true, -1);
    }

    private bool Call(int index)
    {
        var operation = _operations[index];
        _slots[index] = -1;
        // Nobody would ever see whether it has happened.
        if (operation.Returned == RegisterOperation.Never && !_readsToCome.ContainsKey(operation.Value))
            return true;
        if (_used == ulong.MaxValue)
            return false;
        var slot = BitOperations.TrailingZeroCount(~_used);
        (_slots[index], _open[slot]) = (slot, index);
        _used |= 1UL << slot;
        if (!operation.IsWrite)
            _states = [.. _states.Select(state => state.Value == operation.Value ? state.With(slot) : state)];
        return true;
    }

    private bool Return(int index)
    {
        if (!Happen(_slots[index]))
            return false;
        Free(_slots[index]);
        var operation = _operations[index];
        if (operation.IsWrite || --CollectionsMarshal.GetValueRefOrNullRef(_readsToCome, operation.Value) > 0)
            return true;
        // Unanswered writes of a value that nobody will read do not matter any more.
        _readsToCome.Remove(operation.Value);
        for (var open = _used; open != 0; open &= open - 1)
        {
            var slot = BitOperations.TrailingZeroCount(open);
            var write = _operations[_open[slot]];
            if (write.IsWrite && write.Returned == RegisterOperation.Never && write.Value == operation.Value)
                Free(slot);
        }
        return true;
    }

    // The states in which the operation of a slot has taken effect, with as few other writes as that takes.
    private bool Happen(int slot)
    {
        var happened = new HashSet<State>();
        var seen = new HashSet<State>();
        var waiting = new Stack<State>();
        foreach (var state in _states)
            Reach(state);
        while (waiting.TryPop(out var state))
        {
            for (var open = _used & ~state.Happened; open != 0; open &= open - 1)
            {
                var next = BitOperations.TrailingZeroCount(open);
                var write = _operations[_open[next]];
                if (write.IsWrite)
                    Reach(Seen(state.With(next) with { Value = write.Value }));
            }
            if (seen.Count > MostStates)
                return false;
        }
        _states = happened;
        return true;

        void Reach(State state)
        {
            if ((state.Happened & (1UL << slot)) != 0)
                happened.Add(state);
            else if (seen.Add(state))
                waiting.Push(state);
        }
    }

    // All open reads of the value take effect at once.
    private State Seen(State state)
    {
        for (var open = _used & ~state.Happened; open != 0; open &= open - 1)
        {
            var slot = BitOperations.TrailingZeroCount(open);
            var read = _operations[_open[slot]];
            if (!read.IsWrite && read.Value == state.Value)
                state = state.With(slot);
        }
        return state;
    }

    private void Free(int slot)
    {
        var bit = 1UL << slot;
        _used &= ~bit;
        _states = [.. _states.Select(state => state with { Happened = state.Happened & ~bit })];
    }

    private readonly record struct State(long Value, ulong Happened)
    {
        public State With(int slot) => this with { Happened = Happened | (1UL << slot) };
    }
}
