using System.CommandLine;
using MqttCheck.App.Estimate;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Estimate;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Latency.Files;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Shards;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.LargestFleet;

/// <summary><c>mqttcheck largest-fleet</c>: for how many clients a property still holds.</summary>
internal sealed class LargestFleetCommand(Screen screen, Interruption interruption)
{
    private readonly Argument<string> _property = EstimateCommand.Property();

    private readonly Option<FileInfo> _model = new("--model", "-m")
    {
        HelpName = "FILE",
        Description = "The model file that 'learn' wrote.",
        Required = true,
    };

    private readonly Option<string[]> _profiles = CommonOptions.Profiles();
    private readonly Option<int> _from = Count("--from", 1, "The smallest number of clients considered. Default 1.");
    private readonly Option<int> _to = Count("--to", 1000, "The largest number of clients considered. Default 1000.");
    private readonly Option<double> _error = EstimateCommand.Error(
        "Probability that any step of the search is wrong. Default 0.01."
    );

    private readonly Option<int> _replications = new("--replications")
    {
        HelpName = "N",
        Description =
            "The most simulated setups for one number of clients; where "
            + "they do not decide, the answer is a gap. Default 2000.",
        DefaultValueFactory = _ => 2000,
        CustomParser = Values.Integer(1, 10_000_000),
    };

    private readonly Option<bool> _beyond = CommonOptions.Beyond();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "largest-fleet",
            "Finds the largest number of clients for which a property such "
                + "as 'P>=0.95[ G<=10msg latency < 50ms ]' holds, by simulation."
        )
        {
            _property,
            _model,
            _profiles,
            _from,
            _to,
            _error,
            _replications,
            _beyond,
            _seed,
        };
        _workers.AddTo(command);
        command.Concludes((parse, _) => _workers.RunAsync(parse, screen, interruption, runner => Run(parse, runner)));
        return command;
    }

    private Conclusion Run(ParseResult parse, IShardRunner? runner)
    {
        var asked = TraceProperty.Parse(parse.GetValue(_property)!);
        var learned = LatencyModelFile.Read(parse.GetValue(_model)!.ToString());
        var options = new PropertyOptions
        {
            Seed = parse.GetValue(_seed),
            Error = parse.GetValue(_error),
            LargestReplications = parse.GetValue(_replications),
            Beyond = parse.GetValue(_beyond),
            Runner = runner ?? new CountingRunner(screen, Environment.ProcessorCount),
        };
        var (from, to) = (parse.GetValue(_from), parse.GetValue(_to));
        var populations = CommonOptions.Read(parse.GetValue(_profiles)!);
        var request = new LargestFleetRequest(asked, learned, populations, from, to, options);
        var conclusion = Conclusion.Success;
        var limits = new TextTable("property", "profile", "holds for", "does not hold for", "tests", "setups");
        limits.Record(screen);
        var judged = new JudgedTable(screen);
        var found = LargestFleetStage.Run(
            interruption.At(screen),
            request,
            (population, test) => Show(population.Name, test, isReported: runner is null)
        );
        foreach (var (population, limit) in found)
        {
            screen.Lines(limit.Notes.Select(note => $"Note: {note}"));
            screen.Line($"{asked}  {population.Name}: {limit.Describe(from, to)}");
            var setups = limit.Tests.Sum(test => test.Replications);
            limits.Add(
                $"{asked}",
                population.Name,
                TableCell.Of(limit.Holds),
                TableCell.Of(limit.Fails),
                limit.Tests.Count,
                setups
            );
            if (limit.Judged is { } traces)
                judged.Add(asked, population.Name, traces);
            screen.Line(Invariant($"  {limit.Tests.Count} tests, {setups} simulated setups; {limit.Promise}."));
            conclusion = Conclusions.Gravest(conclusion, LargestFleetStage.Conclude(request, limit));
        }
        return interruption.End(screen, conclusion);
    }

    private static Option<int> Count(string name, int value, string description) =>
        new(name)
        {
            HelpName = "N",
            Description = description,
            DefaultValueFactory = _ => value,
            CustomParser = Values.Integer(1, 1_000_000),
        };

    private void Show(string population, FleetLimitTest test, bool isReported)
    {
        var words = Describe(test);
        // Workers show their own progress.
        if (isReported)
            screen.Report(double.NaN, $"{population}, {words}");
        screen.Detail(words);
    }

    private static string Describe(FleetLimitTest test) =>
        Invariant($"{test.Clients} clients: ")
        + (test.Holds, test.IsTrusted) switch
        {
            (_, false) => "the model is not to be trusted",
            (true, _) => "holds",
            (false, _) => "does not hold",
            _ => "undecided",
        }
        + Invariant($", {Estimate(test)}, {test.Replications} replications");

    private static string Estimate(FleetLimitTest test) =>
        double.IsNaN(test.Estimate) ? "says nothing about any trace" : Invariant($"estimate {test.Estimate:0.0000}");
}
