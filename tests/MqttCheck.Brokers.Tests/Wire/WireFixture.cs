using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>A wire of each kind on a thread of its own, and the two ends of its connections over a transport.</summary>
public abstract class WireFixture(TestWire kind, TestTransport transport = TestTransport.Tcp)
{
    protected static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    private WireThread? _thread;

    protected TestWire Kind => kind;

    protected TestTransport Transport => transport;

    protected bool IsTls => transport is TestTransport.Tls or TestTransport.SecureWebSocket;

    protected bool IsWebSocket => transport is TestTransport.WebSocket or TestTransport.SecureWebSocket;

    protected WireThread Thread => _thread!;

    protected IWire Wire => Thread.Wire;

    [SetUp]
    public void Start() => Start(new WireOptions());

    [TearDown]
    public void End() => _thread?.Dispose();

    protected static ScriptedHandler Echo() =>
        new()
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

    protected IPEndPoint Serve(Func<IWireHandler> accept) =>
        Thread.Invoke(() => Wire.Listen(Listener(AnyPort), accept));

    protected WireListener Listener(IPEndPoint address) =>
        new(address)
        {
            Tls = IsTls ? TestCertificates.ServerOptions : null,
            WebSocket = IsWebSocket ? new WebSocketServerOptions() : null,
        };

    protected WireEndpoint Endpoint(IPEndPoint address) =>
        new(address)
        {
            Tls = IsTls ? TestCertificates.ClientOptions : null,
            WebSocket = IsWebSocket ? new WebSocketClientOptions() : null,
        };

    protected WireConnection Connect(IPEndPoint address, ScriptedHandler handler)
    {
        Thread.Invoke(() => Wire.Connect(Endpoint(address), handler));
        return Thread.Wait(handler.WhenConnected);
    }

    private void Start(WireOptions options) => _thread = new WireThread(kind.Create(options));
}
