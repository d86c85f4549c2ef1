using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Simulation;

/// <summary>
/// Watches the trace of a simulated fleet: every set-up of a connection, and every start and end of an exchange, in
/// order of virtual time. Implementations are structs, so that the simulator is compiled for each of them and one that
/// ignores an event costs nothing.
/// </summary>
internal interface IFleetObserver
{
    /// <summary>
    /// A connection has been set up, and its CONNECT is sent now. Not told of connections that take no time.
    /// </summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="action">The connect.</param>
    /// <param name="begunMilliseconds">When the connection was begun, in virtual time.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    void SetUp(int client, in ClientAction action, double begunMilliseconds, double nowMilliseconds);

    /// <summary>An exchange is sent.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="sequence">Number of its sequence; 0 is the warm-up sequence.</param>
    /// <param name="action">The request of the exchange.</param>
    /// <param name="features">The features at this moment.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    void Started(
        int client,
        int sequence,
        in ClientAction action,
        in ExchangeFeatures features,
        double nowMilliseconds
    );

    /// <summary>An exchange has got its answer.</summary>
    /// <param name="client">Number of the client.</param>
    /// <param name="sequence">Number of its sequence; a reset belongs to the sequence that it ends.</param>
    /// <param name="action">The request of the exchange.</param>
    /// <param name="startedMilliseconds">When it was sent, in virtual time.</param>
    /// <param name="nowMilliseconds">The virtual time.</param>
    void Ended(int client, int sequence, in ClientAction action, double startedMilliseconds, double nowMilliseconds);
}
