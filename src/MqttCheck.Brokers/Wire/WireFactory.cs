using System.Diagnostics;
using System.Runtime.InteropServices;
using MqttCheck.Brokers.Wire.Epoll;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Brokers.Wire.Portable;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Wire;

/// <summary>Makes the wire that fits the machine.</summary>
internal static class WireFactory
{
    /// <summary>
    /// Whether <see cref="WireEngine.Epoll"/> runs here: Linux on a 64-bit x64 or arm64 processor, whose native layouts
    /// the loop knows.
    /// </summary>
    public static bool IsEpollSupported =>
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    /// <summary>Makes a wire. The thread that calls <see cref="IWire.Run"/> becomes its thread.</summary>
    /// <param name="options">Its settings.</param>
    /// <exception cref="InputException">
    /// A setting is out of range, or the engine does not run on this machine.
    /// </exception>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public static IWire Create(WireOptions options)
    {
        InputException.ThrowIfAny(options.Validate());
        return options.Engine switch
        {
            WireEngine.Epoll when !IsEpollSupported => throw new InputException(
                "Wire engine Epoll needs Linux on x64 or arm64; use Auto or Portable."
            ),
            WireEngine.Epoll or WireEngine.Auto when IsEpollSupported => new EpollWire(options)
            {
                LoopbackTransitNanoseconds = options.KernelSendStamps ? LoopbackTransit.MedianNanoseconds : 0,
            },
            WireEngine.Auto or WireEngine.Epoll or WireEngine.Portable => new PortableWire(options),
            _ => throw new UnreachableException(),
        };
    }

    /// <summary>
    /// Makes a wire without sockets, in virtual time, for tests and for simulations of a broker core. When nothing is
    /// left to do now, its clock jumps to the next event. <see cref="IWire.Run"/> returns when there is none. Equal
    /// handlers and arguments give equal runs.
    /// </summary>
    /// <param name="latency">How long bytes, connecting and closing are under way.</param>
    /// <param name="pieces">
    /// Cuts received bytes into pieces of random length, as a network may; null delivers them as they were sent.
    /// </param>
    public static IWire CreateInMemory(TimeSpan latency = default, RandomStream? pieces = null) =>
        new MemoryWire(new WireOptions(), latency, pieces);
}
