using System.Runtime.InteropServices;

namespace MqttCheck.Latency.Nagle;

/// <summary>
/// Infers which connections withhold an acknowledgement, as Linux does (RFC 1122, 4.2.3.2). A client that has answered
/// at once acknowledges with its next packet, or after 40 ms without one. Then it acknowledges at once, until it
/// answers again. A broker that leaves Nagle's algorithm on (RFC 896) keeps a delivery back as long.
/// </summary>
/// <remarks>
/// Times do not decrease. Deliveries arrive when they are sent, unless an acknowledgement is withheld. Not thread-safe.
/// </remarks>
internal sealed class DelayedAcks
{
    /// <summary>
    /// The system's least delay of an acknowledgement, which is also how soon a packet has to follow one received to be
    /// taken for its answer.
    /// </summary>
    public const double LeastMilliseconds = 40;

    // The timer that ends it runs out in whole ticks of the system's clock, 1 to 10 ms and mostly 4: about half of one
    // later.
    private const double WithholdMilliseconds = 42;

    private readonly Connection[] _connections;

    /// <summary>Connections that have received nothing.</summary>
    /// <param name="clients">How many.</param>
    public DelayedAcks(int clients)
    {
        _connections = new Connection[clients];
        Clear();
    }

    /// <summary>Forgets everything.</summary>
    public void Clear() => Array.Fill(_connections, Connection.New);

    /// <summary>
    /// When a client received what it has not acknowledged; meaningful while it withholds an acknowledgement.
    /// </summary>
    /// <param name="client">Number of the client.</param>
    public double ReceivedMilliseconds(int client) => _connections[client].ReceivedMilliseconds;

    /// <summary>A new connection replaces that of a client.</summary>
    /// <param name="client">Number of the client.</param>
    public void Connect(int client) => _connections[client] = Connection.New;

    /// <summary>A client sends a packet, and with it the acknowledgement of what it has received.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="nowMilliseconds">When.</param>
    public void Send(int client, double nowMilliseconds)
    {
        ref var connection = ref _connections[client];
        connection.Advance(nowMilliseconds);
        if (nowMilliseconds - connection.ReceivedMilliseconds < LeastMilliseconds)
            connection.Answers = true;
        connection.Acknowledge(nowMilliseconds);
    }

    /// <summary>The broker answers a client.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="nowMilliseconds">When.</param>
    public void Answer(int client, double nowMilliseconds)
    {
        ref var connection = ref _connections[client];
        connection.Advance(nowMilliseconds);
        connection.Receive(answered: false, nowMilliseconds);
    }

    /// <summary>The broker sends a client a message of another.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="answered">Whether the client answers it, as one of quality of service 1 or 2.</param>
    /// <param name="nowMilliseconds">When.</param>
    /// <returns>Whether the connection withholds an acknowledgement, so that the message may have to wait.</returns>
    public bool Deliver(int client, bool answered, double nowMilliseconds)
    {
        ref var connection = ref _connections[client];
        connection.Advance(nowMilliseconds);
        if (connection.State != State.Open)
        {
            connection.State =
                answered || connection.State == State.AnsweredWaits ? State.AnsweredWaits : State.UnansweredWaits;
            return true;
        }
        connection.Receive(answered, nowMilliseconds);
        return false;
    }

    // Whether an acknowledgement is withheld, and whether a delivery waits for it.
    private enum State : byte
    {
        Open,
        Withholds,
        UnansweredWaits,
        AnsweredWaits,
    }

    // Without padding: the simulator has one per client.
    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    private struct Connection
    {
        // The arrival of the last packet; if several are acknowledged together, of the first.
        public double ReceivedMilliseconds;
        public bool Answers;
        public State State;

        public static Connection New => new() { ReceivedMilliseconds = double.NegativeInfinity };

        // The timer may have run out since.
        public void Advance(double nowMilliseconds)
        {
            var until = ReceivedMilliseconds + WithholdMilliseconds;
            if (State == State.Open || until > nowMilliseconds)
                return;
            Answers = false;
            Acknowledge(until);
        }

        // A delivery that waited for the acknowledgement arrives now.
        public void Acknowledge(double nowMilliseconds)
        {
            var state = State;
            State = State.Open;
            if (state is State.UnansweredWaits or State.AnsweredWaits)
                Receive(state == State.AnsweredWaits, nowMilliseconds);
        }

        public void Receive(bool answered, double nowMilliseconds)
        {
            if (State != State.Open)
                return;
            ReceivedMilliseconds = nowMilliseconds;
            Answers |= answered;
            if (Answers && !answered)
                State = State.Withholds;
        }
    }
}
