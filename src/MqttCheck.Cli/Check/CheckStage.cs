using System.Globalization;
using MqttCheck.Brokers.Conformance;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>The stage from a broker to findings.</summary>
internal sealed class CheckStage : IAsyncDisposable
{
    private const int SeldomJudged = 5;
    private const string NoOccasion = "no occasion in this run";

    // A broker that refuses now and then is not one that does not speak a version.
    private const int Probes = 5;

    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly BrokerChoice _choice;
    private readonly CheckRequest _request;
    private readonly IWire _wire;
    private readonly DateTimeOffset _started;
    private IBrokerUnderTest _broker;

    private CheckStage(
        Screen screen,
        Interruption interruption,
        BrokerChoice choice,
        CheckRequest request,
        IBrokerUnderTest broker
    )
    {
        (_screen, _interruption, _choice, _request, _broker) = (screen, interruption, choice, request, broker);
        _wire = WireFactory.Create(new WireOptions());
        _started = screen.Time.GetUtcNow();
    }

    /// <summary>Starts or reaches the broker.</summary>
    public static async Task<CheckStage> StartAsync(
        Screen screen,
        Interruption interruption,
        BrokerChoice choice,
        CheckRequest request
    )
    {
        return new CheckStage(screen, interruption, choice, request, await choice.StartAsync(interruption.Orderly));
    }

    /// <summary>Explores, prints findings and the table of statements, and writes the files.</summary>
    public async Task<int> ExploreAsync()
    {
        var versions = AcceptedVersions();
        var found = 0;
        var report = await _screen.ProgressAsync(
            "Check",
            progress =>
                Task.Run(() =>
                {
                    var began = _wire.NowNanoseconds;
                    var check = new ConformanceCheck(_wire, Target, NewPrefix(), Options(versions))
                    {
                        Restart = Restart,
                        Found = _ => found++,
                        Progress = (what, scenarios) =>
                            progress(
                                Math.Min(1, (_wire.NowNanoseconds - began) / 1e9 / _request.Budget.TotalSeconds),
                                Invariant($"{scenarios} scenarios, {found} findings, {what}")
                            ),
                    };
                    return check.Explore(_request.Budget, _interruption.Orderly);
                })
        );
        var document = Document(report, versions);
        CheckFile.Write(_request.Output, document);
        if (_request.Summary is { } summary)
            CheckFile.WriteSummary(summary, document);
        if (_request.Format is { } format)
            FindingsReport.Output(document, _screen.Time.GetUtcNow()).Print(_screen, format);
        else
            Print(report, document);
        if (report.BrokerLost)
            _screen.Warn("the broker was lost and could not be started again: the result is partial");
        if (document.Interrupted)
        {
            _screen.Note("interrupted: the result is partial");
            return ExitCode.Interrupted;
        }
        if (report.Findings.Any(finding => finding.Statement.Class == StatementClass.Must && finding.IsRepeated))
            return ExitCode.Refuted;
        // A broker that is gone may have been stopped by somebody else: that is no verdict on it, and no success.
        if (report.BrokerLost)
            return ExitCode.BrokerFailed;
        // What was seen and did not come again is neither a finding nor nothing.
        return report.Suspicions.Any(suspicion =>
            suspicion.Deviation is { MustRecur: false, Statement.Class: StatementClass.Must }
        )
            ? ExitCode.Withheld
            : ExitCode.Success;
    }

    /// <summary>Repeats a scenario and prints what deviates.</summary>
    public int Replay(string text, string where, int times)
    {
        var version = _request.Versions[0];
        var scenario = ScenarioText.Parse(text, version, where);
        var check = new ConformanceCheck(_wire, Target, NewPrefix(), Options([version]));
        var results = check.Replay(scenario, times, _interruption.Orderly);
        var keys = results
            .SelectMany(result => result.Deviations)
            .Where(Counts)
            .GroupBy(deviation => deviation.Key)
            .ToList();
        var shown = results.FirstOrDefault(result => result.Deviations.Any(Counts)) ?? results[0];
        foreach (var line in Transcript.Of(shown.Monitor.Trace, shown.Names, shown.Monitor.Trace.Count))
            _screen.Line(line);
        _screen.Line();
        foreach (var key in keys)
        {
            var first = key.First();
            var hits = results.Count(result => result.Deviations.Any(deviation => deviation.Key == key.Key));
            _screen.Line(
                $"{first.Statement.Id(version)} ({Name(first.Statement.Class)}) "
                    + $"{hits} of {results.Count}: {shown.Names.Symbolic(first.Explanation)}"
            );
        }
        if (keys.Count == 0)
            _screen.Line($"no deviation in {results.Count} repetitions");
        if (_interruption.Orderly.IsCancellationRequested)
        {
            _screen.Note("interrupted: the result is partial");
            return ExitCode.Interrupted;
        }
        return keys.Any(key => key.First().Statement.Class == StatementClass.Must)
            ? ExitCode.Refuted
            : ExitCode.Success;

        bool Counts(Deviation deviation) => Counted(deviation.Statement);
    }

    /// <summary>Stops what was started.</summary>
    public async ValueTask DisposeAsync()
    {
        _wire.Dispose();
        await _broker.DisposeAsync();
    }

    // Short, of letters and digits only, and different in every run: client identifiers and topics begin with it.
    private static string NewPrefix() => $"m{Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)[..5]}x";

    private CheckTarget Target =>
        new(_broker.Endpoint, _broker.Credentials)
        {
            Nodes = _broker.Endpoints.Count > 1 ? _broker.Endpoints : [],
            Settle = _request.Settle,
        };

    private CheckOptions Options(IReadOnlyList<ProtocolVersion> versions) =>
        new()
        {
            Seed = _request.Seed,
            Counts = Counted,
            MaximumCommandsPerSecond = _choice.RateCap,
            ShrinkTime = TimeSpan.FromSeconds(Math.Clamp(_request.Budget.TotalSeconds / 60, 20, 120)),
            Generator = new GeneratorOptions
            {
                Versions = [.. versions],
                Defects311 = _request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V311) : [],
                Defects5 = _request.WithMalformed ? MalformedPackets.Names(ProtocolVersion.V5) : [],
            },
        };

    private bool Counted(Statement statement) =>
        (_request.Only.Count == 0 || _request.Only.Contains(statement)) && !_request.Skip.Contains(statement);

    // A version is left out only where no probe gets a CONNACK that accepts it; whatever else is wrong with the answer,
    // exploring says.
    private List<ProtocolVersion> AcceptedVersions()
    {
        if (_request.Versions.Count == 1)
            return [_request.Versions[0]];
        var accepted = new List<ProtocolVersion>();
        foreach (var version in _request.Versions)
        {
            if (Refusal(version) is { } refusal)
                _screen.Note($"MQTT {Name(version)} is not checked: {refusal}");
            else
                accepted.Add(version);
        }
        if (accepted.Count > 0)
            return accepted;
        _screen.Note($"No version was accepted; MQTT {Name(_request.Versions[0])} is checked all the same.");
        return [_request.Versions[0]];
    }

    private string? Refusal(ProtocolVersion version)
    {
        string? refusal = null;
        var timing = new CheckTiming { Patience = TimeSpan.FromSeconds(2) };
        for (var probe = 0; probe < Probes && !_interruption.Orderly.IsCancellationRequested; probe++)
        {
            var result = new ScenarioRunner(_wire, Target, NewPrefix()).Run(
                ScenarioText.Parse("A connect clean", version, "probe"),
                timing
            );
            if (
                result.Monitor.Trace.Any(entry =>
                    entry is { Kind: TraceKind.Received, Packet: ConnackPacket { ReasonCode: ReasonCode.Success } }
                )
            )
                return null;
            refusal ??= result.Deviations.Count > 0 ? result.Deviations[0].Explanation : "no CONNACK accepts it";
        }
        return refusal;
    }

    private CheckTarget? Restart()
    {
        if (_choice.Specification.Kind == BrokerKind.Running)
            return null;
        try
        {
            _broker.DisposeAsync().AsTask().GetAwaiter().GetResult();
            _broker = _choice.StartAsync(_interruption.Orderly).GetAwaiter().GetResult();
            return Target;
        }
        catch (BrokerException exception)
        {
            _screen.Warn(exception.Message);
            return null;
        }
    }

    private void Print(CheckReport report, CheckDocument document)
    {
        foreach (var finding in report.Findings.Where(f => f.ExplainedBy is null))
            Print(finding, report.Findings);
        PrintCoverage(document);
        PrintTotals(report, document);
        _screen.Line($"findings: {_request.Output}");
        if (_request.Summary is { } summary)
            _screen.Line($"summary:  {summary}");
        _screen.Line($"repeat:   {_request.CommandLine}");
    }

    private void Print(Finding finding, IReadOnlyList<Finding> all)
    {
        _screen.Line(
            $"{finding.Id} ({Name(finding.Statement.Class)}, MQTT "
                + $"{Name(finding.Scenario.Version)}) {finding.Circumstances}"
        );
        _screen.Line($"  expected: {finding.Statement.Text}");
        _screen.Line($"  observed: {finding.Names.Symbolic(finding.Deviation.Explanation)}");
        _screen.Line($"  scenario: {finding.Scenario}");
        foreach (var line in Transcript.Of(finding))
            _screen.Line($"    {line}");
        _screen.Line(
            Invariant($"  repeated: {finding.Repeated}; found with {finding.FoundWith} commands, shrunk ")
                + Invariant($"to {finding.Scenario.Steps.Count} in {finding.Shrinking.TotalSeconds:0.0} s")
        );
        if (finding.AlsoAs.Count > 0)
            _screen.Line($"  also as:  {string.Join("; ", finding.AlsoAs)}");
        foreach (var folded in all.Where(other => other.ExplainedBy == finding.Key))
            _screen.Line($"  may also cause: {folded.Id} {folded.Circumstances}: {folded.Scenario}");
        _screen.Line($"  repeat:   {RepeatCommand(finding)}");
        _screen.Line();
    }

    private string RepeatCommand(Finding finding) =>
        "mqttcheck "
        + $"check{string.Concat(_request.BrokerArguments.Select(word => $" {Repeat.Quoted(word)}"))} "
        + $"--protocol {Name(finding.Scenario.Version)} --steps "
        + $"{Repeat.Quoted(finding.Scenario.ToString())}";

    private void PrintCoverage(CheckDocument document)
    {
        var table = new TextTable("statement", "3.1.1", "5", "class", "judged", "findings", "remark");
        foreach (var line in document.Coverage)
            table.Add(
                line.Name,
                line.In311,
                line.In5,
                line.Class,
                line.Judged.ToString(CultureInfo.InvariantCulture),
                line.Findings.ToString(CultureInfo.InvariantCulture),
                line.Remark
            );
        table.Print(_screen);
        _screen.Line();
    }

    private void PrintTotals(CheckReport report, CheckDocument document)
    {
        foreach (var suspicion in report.Suspicions)
            _screen.Line(
                Invariant($"seen once: {suspicion.Key} ({suspicion.Times}); its transcript is in {_request.Output}")
            );
        var musts = report.Findings.Count(finding =>
            finding.Statement.Class == StatementClass.Must && finding.IsRepeated
        );
        var once = report.Findings.Count(finding => !finding.IsRepeated);
        _screen.Line(
            Invariant($"{document.Broker} {document.BrokerVersion}: {report.Findings.Count} findings, ")
                + Invariant($"{musts} of them violate a ")
                + Invariant($"MUST{(once > 0 ? $", {once} seen once and not repeated" : "")}; {report.Scenarios} ")
                + Invariant($"scenarios, {report.Commands} commands in {report.Exploring.TotalSeconds:0} s of ")
                + Invariant($"exploration ({report.Commands / Math.Max(.001, report.Exploring.TotalSeconds):0}/s)")
        );
        // A statement that was judged once or twice is as good as not judged.
        string[] seldom =
        [
            .. document
                .Coverage.Where(statement =>
                    statement is { Class: "MUST", Judged: < SeldomJudged, Remark: "" or NoOccasion }
                )
                .Select(statement => statement.Name),
        ];
        if (seldom.Length > 0)
            _screen.Line(
                $"judged fewer than {SeldomJudged} times: {string.Join(", ", seldom)}; check longer to have them judged"
            );
    }

    private CheckDocument Document(CheckReport report, List<ProtocolVersion> versions) =>
        new()
        {
            Broker = _choice.Specification.Name,
            BrokerVersion = _broker.Description.Version,
            Started = _started,
            BudgetSeconds = _request.Budget.TotalSeconds,
            Command = _request.CommandLine,
            Protocols = [.. versions.Select(Name)],
            Seed = _request.Seed,
            Scenarios = report.Scenarios,
            Commands = report.Commands,
            ExploringSeconds = Math.Round(report.Exploring.TotalSeconds, 1),
            Interrupted = _interruption.Orderly.IsCancellationRequested,
            NotRepeated = [.. report.Suspicions.Select(Describe)],
            Findings = [.. report.Findings.Select(Describe)],
            Coverage =
            [
                .. Statements
                    .All.Where(statement => versions.Exists(statement.AppliesTo))
                    .Select(statement =>
                    {
                        var judged = report.Exercised.GetValueOrDefault(statement);
                        var findings = report.Findings.Count(finding => finding.Statement == statement);
                        return new CheckedStatement(
                            statement.Name,
                            statement.In311 ?? "",
                            statement.In5 ?? "",
                            Name(statement.Class),
                            judged,
                            findings,
                            Remark(statement, Math.Max(judged, findings))
                        );
                    }),
            ],
        };

    private static NotRepeated Describe(Suspicion suspicion) =>
        new()
        {
            Key = suspicion.Key,
            Times = suspicion.Times,
            Observed = suspicion.Names.Symbolic(suspicion.Deviation.Explanation),
            Protocol = Name(suspicion.Scenario.Version),
            Scenario = [.. suspicion.Scenario.Steps.Select(step => step.ToString())],
            Transcript = Transcript.Of(suspicion),
        };

    private CheckedFinding Describe(Finding finding) =>
        new()
        {
            Statement = finding.Id,
            Name = finding.Statement.Name,
            Class = Name(finding.Statement.Class),
            Expected = finding.Statement.Text,
            Observed = finding.Names.Symbolic(finding.Deviation.Explanation),
            Circumstances = finding.Circumstances,
            AlsoAs = [.. finding.AlsoAs],
            ExplainedBy = finding.ExplainedBy,
            Protocol = Name(finding.Scenario.Version),
            Scenario = [.. finding.Scenario.Steps.Select(step => step.ToString())],
            Replays = finding.Replays,
            Hits = finding.Hits,
            ShrinkingSeconds = Math.Round(finding.Shrinking.TotalSeconds, 1),
            Transcript = Transcript.Of(finding),
            Repeat = RepeatCommand(finding),
        };

    private string Remark(Statement statement, long judged) =>
        !Counted(statement) ? "skipped"
        : judged > 0 ? ""
        : statement.WhyNotExercised
            ?? (
                statement == Statements.Available || statement == Statements.NoFlood
                    ? "judged all the time"
                    : NoOccasion
            );

    private static string Name(StatementClass statementClass) =>
        statementClass == StatementClass.Must ? "MUST"
        : statementClass == StatementClass.Should ? "SHOULD"
        : statementClass.ToString().ToLowerInvariant();

    private static string Name(ProtocolVersion version) =>
        version switch
        {
            ProtocolVersion.V31 => "3.1",
            ProtocolVersion.V311 => "3.1.1",
            _ => "5",
        };
}
