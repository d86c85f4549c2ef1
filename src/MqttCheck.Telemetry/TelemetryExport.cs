using System.Diagnostics;
using System.Globalization;
using MqttCheck.Signals;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace MqttCheck.Telemetry;

/// <summary>
/// Sends what MqttCheck measures to an OpenTelemetry collector, until it is disposed of. A collector that does not
/// answer disturbs nothing. Everything else is set by the standard variables <c>OTEL_...</c>.
/// </summary>
public sealed class TelemetryExport : IDisposable
{
    private const int UsualMilliseconds = 2_000;
    private const int IntervalMilliseconds = 10_000;

    private readonly int _patienceMilliseconds = PatienceMilliseconds();
    private readonly TracerProvider? _traces;
    private readonly MeterProvider? _metrics;
    private readonly Activity? _root;
    private bool? _isDelivered;

    private TelemetryExport(TelemetryTarget target, string? version, string? work)
    {
        Address = target.Address;
        var resource = ResourceBuilder
            .CreateEmpty()
            .AddService("mqttcheck", serviceVersion: version, autoGenerateServiceInstanceId: false)
            .AddTelemetrySdk()
            .AddEnvironmentVariableDetector();
        if (target.Traces is { } traces)
            _traces = Sdk.CreateTracerProviderBuilder()
                .SetResourceBuilder(resource)
                .AddSource(Instruments.Name)
                .AddOtlpExporter(options => Set(options, target, traces))
                .Build();
        if (target.Metrics is { } metrics)
            _metrics = Sdk.CreateMeterProviderBuilder()
                .SetResourceBuilder(resource)
                .AddMeter(Instruments.Name)
                .AddOtlpExporter(
                    (options, reader) =>
                    {
                        Set(options, target, metrics);
                        // Most commands are over before the minute that is usual elsewhere.
                        if (!IsSet("OTEL_METRIC_EXPORT_INTERVAL"))
                            reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds =
                                IntervalMilliseconds;
                    }
                )
                .Build();
        _root = work is null ? null : Instruments.Source.StartActivity(work);
    }

    /// <summary>The address of the collector.</summary>
    public string Address { get; }

    /// <summary>Sends to a collector.</summary>
    /// <param name="endpoint">
    /// Its address, for example <c>http://127.0.0.1:4318</c>. The protocol is that of
    /// <c>OTEL_EXPORTER_OTLP_PROTOCOL</c>; by default gRPC at port 4317, and protobuf over HTTP at others.
    /// </param>
    /// <param name="work">The name of a span around everything until the end; null for none.</param>
    /// <param name="version">The version of the service; null for none.</param>
    /// <exception cref="InputException">The address, or a variable, is malformed.</exception>
    public static TelemetryExport To(string endpoint, string? work = null, string? version = null) =>
        new(TelemetryTarget.Of(endpoint), version, work);

    /// <summary>Sends to the collector that <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names.</summary>
    /// <param name="work">The name of a span around everything until the end; null for none.</param>
    /// <param name="version">The version of the service; null for none.</param>
    /// <returns>The export; null where no variable names a collector, or <c>OTEL_SDK_DISABLED</c> is true.</returns>
    /// <exception cref="InputException">A variable is malformed.</exception>
    public static TelemetryExport? FromEnvironment(string? work = null, string? version = null) =>
        TelemetryTarget.OfEnvironment() is { } target ? new(target, version, work) : null;

    /// <summary>
    /// Sends what is left, and waits for it at most twice the time of <c>OTEL_EXPORTER_OTLP_TIMEOUT</c>, by default
    /// four seconds.
    /// </summary>
    /// <returns>Whether the collector took it.</returns>
    public bool Finish()
    {
        if (_isDelivered is { } known)
            return known;
        _root?.Dispose();
        var sending = Task.Run(() =>
        {
            var isDelivered =
                (_metrics?.ForceFlush(_patienceMilliseconds) ?? true)
                & (_traces?.ForceFlush(_patienceMilliseconds) ?? true);
            _metrics?.Dispose();
            _traces?.Dispose();
            return isDelivered;
        });
        // Two signals go out, one after the other.
        _isDelivered = sending.Wait(2 * _patienceMilliseconds) && sending.Result;
        return _isDelivered.Value;
    }

    /// <inheritdoc/>
    public void Dispose() => Finish();

    private static void Set(OtlpExporterOptions options, TelemetryTarget target, Uri address)
    {
        options.Protocol = target.IsGrpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        options.Endpoint = address;
        options.TimeoutMilliseconds = PatienceMilliseconds();
    }

    private static int PatienceMilliseconds() =>
        int.TryParse(
            Environment.GetEnvironmentVariable("OTEL_EXPORTER_OTLP_TIMEOUT"),
            CultureInfo.InvariantCulture,
            out var given
        )
        && given > 0
            ? given
            : UsualMilliseconds;

    private static bool IsSet(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 };
}
