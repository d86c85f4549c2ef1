using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Nodes with a transport between them, and their clients, in virtual time.</summary>
/// <remarks>Equal setups and seeds give equal outcomes.</remarks>
internal sealed class TransportSimulation
{
    private const long Second = 1_000_000_000;

    private readonly TransportSetup _setup;
    private readonly ITransportObserver? _observer;
    private readonly Side[] _sides;
    private readonly PriorityQueue<Flight, (long At, long Order)> _flights = new();
    private readonly int[,] _connection;
    private readonly long[,] _offered;
    private RandomStream _clients;
    private long _order;

    private TransportSimulation(TransportSetup setup, ulong seed, ulong replication, ITransportObserver? observer)
    {
        (_setup, _observer) = (setup, observer);
        _clients = RandomStream.For(seed, replication, 0);
        _connection = new int[setup.Nodes, setup.Nodes];
        _offered = new long[setup.Nodes, setup.Nodes];
        _sides = new Side[setup.Nodes];
        for (var node = 0; node < _sides.Length; node++)
            _sides[node] = new Side(this, node, RandomStream.For(seed, replication, (ulong)node + 1));
    }

    /// <summary>Runs one simulation.</summary>
    /// <param name="setup">Nodes, design and load.</param>
    /// <param name="seed">The seed of all random numbers.</param>
    /// <param name="replication">Which replication; each has random numbers of its own.</param>
    /// <param name="observer">Sees messages come and go.</param>
    /// <exception cref="ArgumentOutOfRangeException">There are fewer than two nodes.</exception>
    public static TransportOutcome Run(
        TransportSetup setup,
        ulong seed,
        ulong replication = 0,
        ITransportObserver? observer = null
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(setup.Nodes, 2);
        var simulation = new TransportSimulation(setup, seed, replication, observer);
        simulation.BeginLoad();
        simulation.Go(setup.DurationNanoseconds - Second);
        var before = simulation._sides.Sum(side => side.Node.Counters.Received);
        simulation.Go(setup.DurationNanoseconds);
        var published = simulation.Counters();
        simulation.Go(setup.EndNanoseconds);
        return simulation.Outcome(before, published);
    }

    private void BeginLoad()
    {
        foreach (var reconnect in _setup.Reconnects)
            Schedule(new Flight(FlightKind.Reconnect, reconnect.One, reconnect.Other), reconnect.Nanoseconds);
        foreach (var (nanoseconds, node) in _setup.Publications)
            Schedule(new Flight(FlightKind.Broadcast, node, node), nanoseconds);
        for (var node = 0; node < _sides.Length; node++)
        {
            for (var message = 0; message < _setup.Load.Window; message++)
                Publish(node, 0);
            if (_setup.Load.Rates.Count > 0)
                ScheduleArrival(node, 0);
        }
    }

    private void Go(long until)
    {
        while (true)
        {
            var side = _sides.MinBy(candidate => candidate.Node.NextDue)!;
            var flight = _flights.TryPeek(out _, out var key) ? key.At : long.MaxValue;
            if (Math.Min(side.Node.NextDue, flight) > until)
                return;
            if (side.Node.NextDue <= flight)
                side.Node.Advance(side.Node.NextDue);
            else
                Land(_flights.Dequeue(), flight);
        }
    }

    private void Land(in Flight flight, long now)
    {
        switch (flight.Kind)
        {
            case FlightKind.Frame:
                if (flight.Connection == _connection[flight.From, flight.To])
                {
                    if (flight.Frame.Kind == TransportFrameKind.Data)
                        _observer?.Arrived(flight.To, flight.From, flight.Frame.Sequence, now);
                    _observer?.Heard(flight.To, flight.From, flight.Frame.ReceiveQueueLength, now);
                    _sides[flight.To].Node.Receive(flight.From, flight.Frame, now);
                }
                break;
            case FlightKind.Publication:
                Publish(flight.From, now);
                if (_setup.Load.Window == 0 && now <= _setup.DurationNanoseconds)
                    ScheduleArrival(flight.From, now);
                break;
            case FlightKind.Broadcast:
                for (var step = 1; step < _sides.Length; step++)
                    Publish(flight.From, (flight.From + step) % _sides.Length, now);
                break;
            case FlightKind.Reconnect:
                _connection[flight.From, flight.To]++;
                _connection[flight.To, flight.From]++;
                _observer?.Heard(flight.From, flight.To, 0, now);
                _observer?.Heard(flight.To, flight.From, 0, now);
                _sides[flight.From].Node.Reconnected(flight.To, now);
                _sides[flight.To].Node.Reconnected(flight.From, now);
                break;
        }
    }

    private void Publish(int node, long now)
    {
        if (now > _setup.DurationNanoseconds)
            return;
        Publish(node, (node + 1 + _clients.NextInt(_sides.Length - 1)) % _sides.Length, now);
    }

    private void Publish(int node, int peer, long now)
    {
        var message = _offered[node, peer]++;
        _observer?.Offered(node, peer, message, now);
        _sides[node].Node.Offer(peer, message, now);
    }

    private void ScheduleArrival(int node, long now)
    {
        var perSecond = _setup.Load.PerSecondAt((double)now / Second);
        var wait = -Math.Log(_clients.NextOpenDouble()) * Second / perSecond;
        Schedule(new Flight(FlightKind.Publication, node, node), now + (long)wait);
    }

    private void Schedule(in Flight flight, long at) => _flights.Enqueue(flight, (at, _order++));

    private TransportCounters[] Counters() => [.. _sides.Select(side => side.Node.Counters)];

    // Rates are those of the time in which clients publish.
    private TransportOutcome Outcome(long receivedBefore, TransportCounters[] published)
    {
        var counters = Counters();
        var nodeSeconds = _sides.Length * (double)_setup.DurationNanoseconds / Second;
        var received = published.Sum(one => one.Received);
        var frames = counters.Sum(one => one.DataFrames);
        return new TransportOutcome
        {
            DeliveredPerSecond = published.Sum(one => one.Delivered) / nodeSeconds,
            ReceivedPerSecond = received / nodeSeconds,
            ReceivedInLastSecond = (received - receivedBefore) / (double)_sides.Length,
            RetransmittedShare = frames == 0 ? 0 : (double)counters.Sum(one => one.Retransmissions) / frames,
            DataFrames = frames,
            Retransmissions = counters.Sum(one => one.Retransmissions),
            Dropped = counters.Sum(one => one.Dropped),
            LongestReceiveQueue = counters.Max(one => one.LongestReceiveQueue),
            LongestSendQueues = [.. counters.Select(one => one.LongestSendQueue)],
            NodeOfLongestQueue = Enumerable.Range(0, counters.Length).MaxBy(node => counters[node].LongestReceiveQueue),
        };
    }

    private enum FlightKind
    {
        Frame,
        Publication,
        Broadcast,
        Reconnect,
    }

    private readonly record struct Flight(FlightKind Kind, int From, int To)
    {
        public TransportFrame<long> Frame { get; init; }
        public int Connection { get; init; }
    }

    private sealed class Side : ITransportOutput<long>
    {
        private readonly TransportSimulation _simulation;
        private readonly int _self;

        public Side(TransportSimulation simulation, int self, RandomStream random)
        {
            (_simulation, _self) = (simulation, self);
            Node = new TransportNode<long>(simulation._setup.Design, self, simulation._setup.Nodes, random, this);
        }

        public TransportNode<long> Node { get; }

        public void Send(int peer, in TransportFrame<long> frame, long now)
        {
            if (frame.Kind == TransportFrameKind.Data)
                _simulation._observer?.Sent(_self, peer, frame.Sequence, now);
            else if (frame.Kind == TransportFrameKind.GapRequest)
                _simulation._observer?.Asked(_self, peer, frame.Sequence, frame.Last, now);
            var flight = new Flight(FlightKind.Frame, _self, peer)
            {
                Frame = frame,
                Connection = _simulation._connection[_self, peer],
            };
            _simulation.Schedule(flight, now + _simulation._setup.HopNanoseconds);
        }

        public void Deliver(int peer, long message, long now) =>
            _simulation._observer?.Delivered(_self, peer, message, now);

        // A client of the closed loop publishes its next message; one of an open loop does not wait.
        public void Acknowledged(int peer, long message, long now)
        {
            _simulation._observer?.Acknowledged(_self, peer, message, now);
            if (_simulation._setup.Load.Window > 0)
                _simulation.Schedule(new Flight(FlightKind.Publication, _self, _self), now);
        }
    }
}
