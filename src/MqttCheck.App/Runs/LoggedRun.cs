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
    private bool _isClosed;

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
            Dispose();
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
        _isClosed = true;
        _writer.Dispose();
        var engine = Engine(runs);
        if (idleMilliseconds is { } idle)
            engine[RunInformation.IdleKey] = idle.ToString("0.######", CultureInfo.InvariantCulture);
        RunInformationFile.Write(_path, _information with { Cases = cases, Engine = engine, Complete = complete });
    }

    /// <summary>Ends the log. One that is empty and was not closed is removed: the runs were refused.</summary>
    public void Dispose()
    {
        _writer.Dispose();
        if (_isClosed || _writer.Appended > 0)
            return;
        File.Delete(_path);
        File.Delete(RunInformationFile.PathOf(_path));
    }

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
