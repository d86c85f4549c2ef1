using System.Text.RegularExpressions;
using MqttCheck.Text;

namespace MqttCheck.Telemetry;

/// <summary>The addresses to which traces and metrics go.</summary>
/// <param name="Address">The collector's address, as it is named in messages.</param>
/// <param name="Traces">The address for traces; null to send none.</param>
/// <param name="Metrics">The address for metrics; null to send none.</param>
/// <param name="IsGrpc">Whether gRPC is spoken; otherwise protobuf over HTTP.</param>
internal sealed partial record TelemetryTarget(string Address, Uri? Traces, Uri? Metrics, bool IsGrpc)
{
    private const string Prefix = "OTEL_EXPORTER_OTLP_";
    private const string Endpoint = Prefix + "ENDPOINT";
    private const string Protocol = Prefix + "PROTOCOL";
    private const int GrpcPort = 4317;

    private const string Allowed =
        "the address of an OpenTelemetry collector, http://HOST:PORT or https://HOST:PORT, such as "
        + "http://127.0.0.1:4318";

    /// <summary>A collector at an address.</summary>
    /// <exception cref="InputException">The address, or a variable, is malformed.</exception>
    public static TelemetryTarget Of(string endpoint) => Of(Parse("--otlp", endpoint), null, null);

    /// <summary>The collector that the standard variables name; null where they name none.</summary>
    /// <exception cref="InputException">A variable is malformed.</exception>
    public static TelemetryTarget? OfEnvironment()
    {
        if (string.Equals(Value("OTEL_SDK_DISABLED"), "true", StringComparison.OrdinalIgnoreCase))
            return null;
        var (all, traces, metrics) = (
            FromVariable(Endpoint),
            FromVariable(Prefix + "TRACES_ENDPOINT"),
            FromVariable(Prefix + "METRICS_ENDPOINT")
        );
        return all is null && traces is null && metrics is null ? null : Of(all, traces, metrics);
    }

    // An address of one signal is taken as it is; behind one of all signals comes the name of each.
    private static TelemetryTarget Of(Uri? all, Uri? traces, Uri? metrics)
    {
        var named = all ?? traces ?? metrics!;
        var isGrpc = Value(Protocol) switch
        {
            null => named.Port == GrpcPort,
            "grpc" => true,
            "http/protobuf" => false,
            var other => throw Wrong("environment variable " + Protocol, other, "grpc, http/protobuf"),
        };
        Uri? At(Uri? own, string signal) =>
            IsOff(signal) ? null
            : own is not null || all is null || isGrpc ? own ?? all
            : new Uri(all.AbsoluteUri.TrimEnd('/') + "/v1/" + signal);
        return new(named.AbsoluteUri, At(traces, "traces"), At(metrics, "metrics"), isGrpc);
    }

    private static bool IsOff(string signal) => Value($"OTEL_{signal.ToUpperInvariant()}_EXPORTER") == "none";

    private static Uri? FromVariable(string variable) =>
        Value(variable) is { } value ? Parse("environment variable " + variable, value) : null;

    private static Uri Parse(string where, string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var address)
        && address is { Scheme: "http" or "https", UserInfo: "", Query: "", Fragment: "" }
        && address.Host.Length > 0
            ? address
            : throw Wrong(where, Login().Replace(text, "://...@"), Allowed);

    private static InputException Wrong(string where, string given, string allowed) =>
        new($"{where}: '{Printable.Value(given)}' given; allowed: {allowed}.");

    private static string? Value(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value ? value : null;

    // A password must not reach a log.
    [GeneratedRegex("://.*@")]
    private static partial Regex Login();
}
