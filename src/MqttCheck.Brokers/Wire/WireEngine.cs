namespace MqttCheck.Brokers.Wire;

/// <summary>
/// The engine that moves the bytes. Compare brokers only under the same engine, because each engine has its own error.
/// </summary>
public enum WireEngine : byte
{
    /// <summary>Epoll on 64-bit Linux, portable elsewhere.</summary>
    Auto,

    /// <summary>The epoll loop with kernel arrival stamps; Linux on x64 or arm64.</summary>
    Epoll,

    /// <summary>The sockets of .NET; everywhere.</summary>
    Portable,
}
