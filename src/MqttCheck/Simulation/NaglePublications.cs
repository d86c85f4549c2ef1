using System.Runtime.InteropServices;
using MqttCheck.Latency.Nagle;
using MqttCheck.Statistics;

namespace MqttCheck.Simulation;

/// <summary>
/// The publications of a simulated fleet of which a delivery is kept back, each until its receivers have sent something
/// or their systems' timers have run out. An event that was planned for a timer comes earlier if the receiver sends
/// before; the simulator then moves it.
/// </summary>
internal sealed class NaglePublications
{
    /// <summary>An event of a client that comes earlier than was planned.</summary>
    public readonly record struct Move(int Client, double FromMilliseconds, double ToMilliseconds);

    // One delivery that is kept back: on the list of its publisher and on that of its receiver. Without padding: there
    // may be many.
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct Delivery
    {
        public int Publisher,
            Receiver,
            NextOfPublisher,
            NextOfReceiver;

        // When the receiver's timer runs out.
        public double DueMilliseconds;
    }

    private readonly NagleDeliveries _held;

    // The first delivery on the lists of each client; -1 if there is none.
    private readonly int[] _ofPublisher,
        _ofReceiver;

    // Whether the publication of a client waits for nothing else.
    private readonly bool[] _waits;
    private readonly List<Move> _moves = [];
    private Delivery[] _deliveries;

    // Places in the array that are free again, the first of a list; then those that never were used.
    private int _free = -1,
        _used;

    /// <summary>Nothing is kept back.</summary>
    /// <param name="held">How deliveries are kept back.</param>
    /// <param name="clients">How many clients there are.</param>
    public NaglePublications(NagleDeliveries held, int clients)
    {
        _held = held;
        // With few subscribers per topic not more deliveries wait; otherwise it grows.
        _deliveries = new Delivery[Math.Max(16, clients / 4)];
        (_ofPublisher, _ofReceiver, _waits) = (new int[clients], new int[clients], new bool[clients]);
        Clear();
    }

    /// <summary>The events that <see cref="Send"/> has found to come earlier, until <see cref="ClearMoves"/>.</summary>
    public IReadOnlyList<Move> Moves => _moves;

    /// <summary>Forgets the events to be moved.</summary>
    public void ClearMoves() => _moves.Clear();

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        Array.Fill(_ofPublisher, -1);
        Array.Fill(_ofReceiver, -1);
        Array.Clear(_waits);
        _moves.Clear();
        (_free, _used) = (-1, 0);
    }

    /// <summary>A client sends something, and with it acknowledges what it has received.</summary>
    /// <param name="client">The client.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    public void Send(int client, double nowMilliseconds)
    {
        var at = _ofReceiver[client];
        if (at < 0)
            return;
        _ofReceiver[client] = -1;
        while (at >= 0)
        {
            var (publisher, next) = (_deliveries[at].Publisher, _deliveries[at].NextOfReceiver);
            var planned = _waits[publisher] ? Due(publisher) : double.NaN;
            RemoveFromPublisher(at);
            Free(at);
            if (_waits[publisher])
            {
                var due = Math.Max(nowMilliseconds, Due(publisher));
                if (due < planned)
                    _moves.Add(new(publisher, planned, due));
            }
            at = next;
        }
    }

    /// <summary>A client publishes something that some of its receivers may keep waiting.</summary>
    /// <param name="publisher">The client.</param>
    /// <param name="receivers">The receivers that withhold an acknowledgement.</param>
    /// <param name="random">The stream of the client.</param>
    public void Hold(int publisher, ReadOnlySpan<DelayedAckReceiver> receivers, ref RandomStream random)
    {
        if (random.NextDouble() >= _held.Share)
            return;
        var timer = _held.TimerMilliseconds.Draw(random.NextDouble());
        foreach (var receiver in receivers)
        {
            var at = Allocate();
            _deliveries[at] = new()
            {
                Publisher = publisher,
                Receiver = receiver.Client,
                DueMilliseconds = receiver.ReceivedMilliseconds + timer,
                NextOfPublisher = _ofPublisher[publisher],
                NextOfReceiver = _ofReceiver[receiver.Client],
            };
            _ofPublisher[publisher] = _ofReceiver[receiver.Client] = at;
        }
    }

    /// <summary>
    /// Whether the publication of a client, which would be over otherwise, has to wait for an acknowledgement.
    /// </summary>
    /// <param name="publisher">The client.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    /// <param name="untilMilliseconds">If so: until when at most.</param>
    public bool Waits(int publisher, double nowMilliseconds, out double untilMilliseconds)
    {
        untilMilliseconds = nowMilliseconds;
        if (_ofPublisher[publisher] >= 0)
        {
            var due = Due(publisher);
            if (due > nowMilliseconds)
            {
                untilMilliseconds = due;
                return _waits[publisher] = true;
            }
            for (var at = _ofPublisher[publisher]; at >= 0; )
            {
                var next = _deliveries[at].NextOfPublisher;
                RemoveFromReceiver(at);
                Free(at);
                at = next;
            }
            _ofPublisher[publisher] = -1;
        }
        return _waits[publisher] = false;
    }

    // When the timers of all receivers that have not acknowledged have run out.
    private double Due(int publisher)
    {
        var due = double.NegativeInfinity;
        for (var at = _ofPublisher[publisher]; at >= 0; at = _deliveries[at].NextOfPublisher)
            due = Math.Max(due, _deliveries[at].DueMilliseconds);
        return due;
    }

    private void RemoveFromPublisher(int delivery)
    {
        ref var link = ref _ofPublisher[_deliveries[delivery].Publisher];
        while (link != delivery)
            link = ref _deliveries[link].NextOfPublisher;
        link = _deliveries[delivery].NextOfPublisher;
    }

    private void RemoveFromReceiver(int delivery)
    {
        ref var link = ref _ofReceiver[_deliveries[delivery].Receiver];
        while (link != delivery)
            link = ref _deliveries[link].NextOfReceiver;
        link = _deliveries[delivery].NextOfReceiver;
    }

    private int Allocate()
    {
        if (_free >= 0)
        {
            var at = _free;
            _free = _deliveries[at].NextOfPublisher;
            return at;
        }
        if (_used == _deliveries.Length)
            Array.Resize(ref _deliveries, 2 * _used);
        return _used++;
    }

    private void Free(int delivery) => (_deliveries[delivery].NextOfPublisher, _free) = (_free, delivery);
}
