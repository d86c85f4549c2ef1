using System.Net;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire;

/// <summary>
/// An event loop: connections, timers and a clock on one thread. The same handlers run on the epoll loop (Linux), the
/// portable loop, and an in-memory wire for tests.
/// </summary>
/// <remarks>
/// Everything but <see cref="Post"/> and <see cref="Stop"/> is called from the thread that runs <see cref="Run"/>, or
/// before it runs. Disposing it ends what is left without calling any handler.
/// </remarks>
public interface IWire : IDisposable
{
    /// <summary>The monotonic clock, in nanoseconds from an arbitrary start.</summary>
    long NowNanoseconds { get; }

    /// <summary>
    /// Begins to connect. <see cref="IWireHandler.OnConnected"/> or <see cref="IWireHandler.OnClosed"/> tells how it
    /// went, never from within this call.
    /// </summary>
    /// <param name="endpoint">The address and transport of the connection.</param>
    /// <param name="handler">Who is told.</param>
    WireConnection Connect(WireEndpoint endpoint, IWireHandler handler);

    /// <summary>Serves connections.</summary>
    /// <param name="listener">The address and transport to serve.</param>
    /// <param name="accept">
    /// Makes the handler of each accepted connection, when its handshakes begin; null turns it away.
    /// </param>
    /// <returns>The address that is served, with its port.</returns>
    /// <exception cref="WireException">The address cannot be served: port in use, no permission.</exception>
    IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept);

    /// <summary>Serves connections over TCP.</summary>
    /// <param name="address">The address to serve; port 0 takes a free one.</param>
    /// <param name="accept">
    /// Makes the handler of each accepted connection, when its handshakes begin; null turns it away.
    /// </param>
    /// <returns>The address that is served, with its port.</returns>
    /// <exception cref="WireException">The address cannot be served: port in use, no permission.</exception>
    IPEndPoint Listen(IPEndPoint address, Func<IWireHandler?> accept) => Listen(new WireListener(address), accept);

    /// <summary>Sets a timer that fires once.</summary>
    /// <param name="handler">Who is told, by <see cref="ITimerHandler.OnTimer"/>.</param>
    /// <param name="dueNanoseconds">
    /// When, on the clock of <see cref="NowNanoseconds"/>; a time in the past fires in the next round.
    /// </param>
    /// <param name="tag">Handed back, so that a handler can tell its timers apart.</param>
    /// <returns>A ticket for <see cref="Cancel"/>, never 0.</returns>
    long Schedule(ITimerHandler handler, long dueNanoseconds, int tag);

    /// <summary>Cancels a timer; one that has fired or was cancelled is left alone.</summary>
    /// <param name="ticket">The ticket from <see cref="Schedule"/>; 0 for no timer.</param>
    void Cancel(long ticket);

    /// <summary>Runs an action on the wire's thread. Safe from any thread.</summary>
    /// <param name="action">The action.</param>
    void Post(Action action);

    /// <summary>Runs the loop on the calling thread until <see cref="Stop"/>.</summary>
    void Run();

    /// <summary>Ends <see cref="Run"/> after the current batch. Safe from any thread.</summary>
    void Stop();
}
