using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Epoll;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>The wires that keep the same contract.</summary>
public enum TestWire
{
    Epoll,

    /// <summary>The epoll loop as it waits on systems without epoll_pwait2.</summary>
    EpollWithTimerDescriptor,
    Portable,

    /// <summary>In memory, with bytes cut into random pieces; seed 1.</summary>
    Memory,
}

public static class TestWires
{
    /// <summary>Every wire with TCP, and with each transport those that differ in how bytes arrive.</summary>
    public static IEnumerable<TestFixtureData> WithTransports =>
        from transport in Enum.GetValues<TestTransport>()
        from kind in Enum.GetValues<TestWire>()
        where transport == TestTransport.Tcp || kind != TestWire.EpollWithTimerDescriptor
        select new TestFixtureData(kind, transport);

    public static bool HasSockets(this TestWire kind) => kind != TestWire.Memory;

    public static bool HasKernelStamps(this TestWire kind) =>
        kind is TestWire.Epoll or TestWire.EpollWithTimerDescriptor;

    public static IWire Create(this TestWire kind, WireOptions options)
    {
        if (kind.HasKernelStamps() && !WireFactory.IsEpollSupported)
            Assert.Ignore("The epoll loop needs 64-bit Linux.");
        return kind switch
        {
            TestWire.EpollWithTimerDescriptor => new EpollWire(options, withTimerDescriptor: true),
            TestWire.Memory => new MemoryWire(
                options,
                TimeSpan.FromMicroseconds(50),
                RandomStream.For(1),
                waitsWhenIdle: true
            ),
            _ => WireFactory.Create(
                options with
                {
                    Engine = kind == TestWire.Epoll ? WireEngine.Epoll : WireEngine.Portable,
                }
            ),
        };
    }
}
