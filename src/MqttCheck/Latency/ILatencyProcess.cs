using MqttCheck.Latency.Features;
using MqttCheck.Latency.Nagle;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>
/// A latency model at work inside one simulated setup. It is a process, not a function: an exchange that starts may
/// complete at a known time, or have a next event (for example the second visit of a connect to the broker's queue),
/// and exchanges that start later may delay it. A law over the features at the start is the stateless case.
/// </summary>
/// <remarks>
/// Implementations are structs, so that the simulator is compiled for each of them without virtual calls, and hold
/// their state in arrays they own. To let later events move a completion, answer <see cref="Start"/> or
/// <see cref="SetUp"/> with the earliest possible time and <c>Completes = false</c>; at that time
/// <see cref="Continue"/> is asked again and names the next one.
/// </remarks>
public interface ILatencyProcess
{
    /// <summary>Forgets everything: a new replication begins.</summary>
    /// <param name="random">
    /// A stream of the replication that no client draws from: for what differs from run to run.
    /// </param>
    void Reset(ref RandomStream random) { }

    /// <summary>
    /// Whether setting up a connection, before its CONNECT is sent, takes time: otherwise the simulator does not ask.
    /// </summary>
    static virtual bool HasSetUp => false;

    /// <summary>
    /// Whether latencies depend on <see cref="ExchangeFeatures.Withheld"/>: otherwise the simulator saves the time to
    /// compute it.
    /// </summary>
    bool UsesWithheld => false;

    /// <summary>
    /// Whether deliveries may be kept back, see <see cref="Held"/>: otherwise the simulator does not ask.
    /// </summary>
    static virtual bool HoldsDeliveries => false;

    /// <summary>How deliveries are kept back; null where <see cref="HoldsDeliveries"/> is false.</summary>
    NagleDeliveries? Held => null;

    /// <summary>
    /// A client begins to set up a connection: the handshakes of TCP, TLS and WebSocket. When that completes, its
    /// CONNECT is sent.
    /// </summary>
    /// <param name="client">The client; it has no open exchange.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    /// <param name="random">The client's stream.</param>
    LatencyStep SetUp(int client, double nowMilliseconds, ref RandomStream random) =>
        new(nowMilliseconds, Completes: true);

    /// <summary>An exchange is sent.</summary>
    /// <param name="client">The client that sends; it has no other open exchange.</param>
    /// <param name="features">The features at this moment.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    /// <param name="random">The client's stream.</param>
    LatencyStep Start(int client, in ExchangeFeatures features, double nowMilliseconds, ref RandomStream random);

    /// <summary>
    /// The time that an earlier step named, with <see cref="LatencyStep.Completes"/> false, has come. It is not called
    /// if every step completes.
    /// </summary>
    /// <param name="client">The client whose exchange, or whose set-up, is open.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    /// <param name="random">The client's stream.</param>
    LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
        throw new NotSupportedException("Every step of this process completes.");
}
