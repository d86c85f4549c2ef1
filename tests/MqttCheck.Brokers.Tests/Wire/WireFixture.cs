using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>A wire of each kind on a thread of its own, and the two ends of its connections.</summary>
public abstract class WireFixture(TestWire kind)
{
    protected static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    private WireThread? _thread;

    protected TestWire Kind => kind;

    protected WireThread Thread => _thread!;

    protected IWire Wire => Thread.Wire;

    [SetUp]
    public void Start() => Start(new WireOptions());

    [TearDown]
    public void End() => _thread?.Dispose();

    protected static ScriptedHandler Echo() => new()
    {
        Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
        {
            connection.Send(bytes);
            return bytes.Length;
        },
    };

    protected void Restart(WireOptions options)
    {
        Thread.Dispose();
        Start(options);
    }

    protected IPEndPoint Serve(Func<IWireHandler> accept) => Thread.Invoke(() => Wire.Listen(AnyPort, accept));

    protected WireConnection Connect(IPEndPoint address, ScriptedHandler handler)
    {
        Thread.Invoke(() => Wire.Connect(new WireEndpoint(address), handler));
        return Thread.Wait(handler.WhenConnected);
    }

    private void Start(WireOptions options) => _thread = new WireThread(kind.Create(options));
}
