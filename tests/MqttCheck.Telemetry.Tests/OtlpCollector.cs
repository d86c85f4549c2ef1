using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Telemetry.Tests;

/// <summary>A collector of OpenTelemetry that takes protobuf over HTTP on a port of this machine.</summary>
internal sealed class OtlpCollector : IAsyncDisposable
{
    private readonly HttpListener _listener = new();
    private readonly Lock _gate = new();
    private readonly List<ReceivedMetric> _metrics = [];
    private readonly List<ReceivedSpan> _spans = [];
    private readonly List<string> _headers = [];
    private readonly Task _serving;

    public OtlpCollector()
    {
        Address = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePort()}");
        _listener.Prefixes.Add(Address + "/");
        _listener.Start();
        _serving = ServeAsync();
    }

    /// <summary>Where it listens.</summary>
    public string Address { get; }

    /// <summary>All metrics that came, the last of each name.</summary>
    public IReadOnlyDictionary<string, ReceivedMetric> Metrics
    {
        get
        {
            lock (_gate)
                return _metrics.GroupBy(metric => metric.Name).ToDictionary(one => one.Key, one => one.Last());
        }
    }

    /// <summary>All spans that came.</summary>
    public IReadOnlyList<ReceivedSpan> Spans
    {
        get
        {
            lock (_gate)
                return [.. _spans];
        }
    }

    /// <summary>The headers of all requests, as "name: value".</summary>
    public IReadOnlyList<string> Headers
    {
        get
        {
            lock (_gate)
                return [.. _headers];
        }
    }

    /// <summary>A port on which nobody listens.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Close();
        await _serving;
    }

    private async Task ServeAsync()
    {
        while (_listener.IsListening)
        {
            HttpListenerContext context;
            try
            {
                context = await _listener.GetContextAsync();
            }
            catch (Exception exception) when (exception is HttpListenerException or ObjectDisposedException)
            {
                return;
            }
            using var body = new MemoryStream();
            await context.Request.InputStream.CopyToAsync(body);
            Take(context.Request, body.ToArray());
            context.Response.ContentType = "application/x-protobuf";
            context.Response.Close();
        }
    }

    private void Take(HttpListenerRequest request, byte[] body)
    {
        lock (_gate)
        {
            _headers.AddRange(request.Headers.AllKeys.Select(name => $"{name}: {request.Headers[name]}"));
            switch (request.Url!.AbsolutePath)
            {
                case "/v1/metrics":
                    _metrics.AddRange(ReceivedMetric.Parse(body));
                    break;
                case "/v1/traces":
                    _spans.AddRange(ReceivedSpan.Parse(body));
                    break;
                default:
                    break;
            }
        }
    }
}
