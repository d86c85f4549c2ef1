using System.Net;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>A scripted broker on the loopback interface, on a loop and a thread of its own.</summary>
internal sealed class LiveBroker : IDisposable
{
    private readonly IWire _wire = WireFactory.Create(new WireOptions());
    private readonly Thread _thread;

    public LiveBroker(Action<ScriptedBroker>? prepare = null)
    {
        Broker = new ScriptedBroker(_wire, new IPEndPoint(IPAddress.Loopback, 0));
        prepare?.Invoke(Broker);
        _thread = new Thread(_wire.Run) { Name = "scripted broker", IsBackground = true };
        _thread.Start();
    }

    /// <summary>The broker; while it runs its loop's own.</summary>
    public ScriptedBroker Broker { get; }

    public WireEndpoint Endpoint => new(Broker.Address);

    public void Dispose()
    {
        _wire.Stop();
        _thread.Join();
        _wire.Dispose();
    }
}
