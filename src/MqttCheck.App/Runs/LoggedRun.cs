using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.App.Runs;

/// <summary>
/// A log that is being written, with the information beside it: marked incomplete from the beginning until it is closed
/// as complete.
/// </summary>
internal sealed class LoggedRun : IDisposable
{
    private readonly string _path;
    private readonly RunInformation _information;
    private readonly ExchangeLogWriter _writer;

    public LoggedRun(string path, IBrokerUnderTest broker, CampaignOptions campaign, TimeProvider time, bool coarse)
    {
        _path = path;
        _information = new()
        {
            ToolVersion = Tool.Version,
            Seed = campaign.Seed,
            Started = time.GetUtcNow(),
            Broker = broker.Description.Logged(campaign.ProtocolVersion, campaign.Client),
            Machine = MachineInformation.Current(),
            TopicPrefix = broker.TopicPrefix + campaign.Prefix,
            Cases = [],
            Coarse = coarse,
        };
        _writer = new ExchangeLogWriter(path);
        try
        {
            RunInformationFile.Write(path, _information);
        }
        catch
        {
            _writer.Dispose();
            throw;
        }
        Sink = _writer;
    }

    public IExchangeSink Sink { get; }

    /// <summary>Flushes the log and writes what became of the runs.</summary>
    /// <param name="idleMilliseconds">
    /// The median latency of the idle broker before the runs, or null if it was not measured.
    /// </param>
    public void Close(
        IReadOnlyList<RunCase> cases,
        IReadOnlyList<FleetRunResult> runs,
        bool complete,
        double? idleMilliseconds = null
    )
    {
        _writer.Dispose();
        var engine = Engine(runs);
        if (idleMilliseconds is { } idle)
            engine[RunInformation.IdleKey] = idle.ToString("0.######", CultureInfo.InvariantCulture);
        RunInformationFile.Write(_path, _information with { Cases = cases, Engine = engine, Complete = complete });
    }

    public void Dispose() => _writer.Dispose();

    private static Dictionary<string, string> Engine(IReadOnlyList<FleetRunResult> runs)
    {
        static string Number(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
        return runs.Count == 0
            ? []
            : new()
            {
                ["generatorCpuShareMaximum"] = Number(runs.Max(run => run.GeneratorCpuShare)),
                ["sendLagP99MicrosecondsMaximum"] = Number(runs.Max(run => run.Health.LagP99Microseconds)),
                ["invalidRuns"] = runs.Count(run => !run.Health.IsValid).ToString(CultureInfo.InvariantCulture),
                ["collectionPausesMilliseconds"] = Number(
                    runs.Sum(run => run.Health.CollectionPauses.TotalMilliseconds)
                ),
            };
    }
}
