namespace MqttCheck.Latency.Models;

/// <summary>
/// The work of the server of a <see cref="QueueModel"/> before a CONNECT is sent: the handshakes of TLS and WebSocket.
/// This work belongs to no exchange, and keeps all of them waiting.
/// </summary>
/// <param name="Milliseconds">How long the server takes for a connection.</param>
/// <param name="First">Whether connections have priority over all other work, also over earlier requests. A server that
/// accepts connections one by one, and computes their handshakes meanwhile, continues as long as more of them come.
/// Otherwise they take their turn.</param>
/// <param name="Variation">The deviation of the logarithm of the work of a connection from run to run. It decides if
/// this work nearly saturates the server.</param>
/// <param name="Alone">
/// How long it takes to set up a connection while nobody else does anything, from its beginning to the sending of the
/// CONNECT.
/// </param>
internal sealed record QueueSetUp(double Milliseconds, bool First, double Variation, QuantileTable Alone);
