namespace MqttCheck.Latency.Models;

/// <summary>
/// The work of the server of a <see cref="QueueModel"/> before a CONNECT is sent: the handshakes of TLS and WebSocket.
/// This work belongs to no exchange, and keeps all of them waiting.
/// </summary>
/// <param name="Milliseconds">How long the server takes for a connection.</param>
/// <param name="First">
/// Whether connections are served before everything else, also before what came earlier: a server that accepts
/// connections one after the other, and computes their handshakes meanwhile, goes on as long as more of them come.
/// Otherwise they take their turn.
/// </param>
/// <param name="Variation">
/// How much the work of a connection differs from run to run: the deviation of its logarithm. Where the server is
/// nearly saturated by it, that decides.
/// </param>
/// <param name="Alone">
/// How long it takes to set up a connection while nobody else does anything, from its beginning to the sending of the
/// CONNECT.
/// </param>
internal sealed record QueueSetUp(double Milliseconds, bool First, double Variation, QuantileTable Alone);
