using System.CommandLine;
using System.Globalization;
using MqttCheck.Checking;
using MqttCheck.Checking.Properties;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Logs;

namespace MqttCheck.Cli.Commands;

/// <summary><c>mqttcheck estimate</c>: the answer to a property, from simulated traces or from those of a log.</summary>
public static class EstimateCommand
{
    private static readonly (string Name, Func<double, double, IEstimationRule> Create)[] s_rules =
    [
        ("clopper-pearson", (epsilon, error) => new SequentialClopperPearsonRule(epsilon, error)),
        ("chen", (epsilon, error) => new ChenRule(epsilon, error)),
        ("okamoto", (epsilon, error) => new OkamotoRule(epsilon, error)),
        ("mixture", (epsilon, error) => new AnytimeMixtureRule(epsilon, error)),
    ];

    /// <summary>The command.</summary>
    /// <param name="screen">Where to print.</param>
    /// <param name="interruption">Ctrl-C and SIGTERM.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var property = Property();
        var model = new Option<FileInfo?>("--model", "-m") { HelpName = "FILE", Description = "The model file that 'learn' wrote, to simulate with." };
        var log = new Option<FileInfo?>("--log") { HelpName = "FILE", Description = "Or the log of live runs with counted sequences, such as that of 'verify'." };
        var profiles = CommonOptions.Profiles();
        var clients = CommonOptions.Clients("50");
        var epsilon = new Option<double>("--epsilon")
        {
            HelpName = "E",
            Description = "Half the width of a probability's interval. Default .05.",
            DefaultValueFactory = _ => .05,
            CustomParser = Values.Between(0, .5),
        };
        var error = Error("Probability that an answer is wrong. Default .01.");
        var rule = new Option<string>("--rule")
        {
            HelpName = "NAME",
            Description = $"When to stop estimating a probability: {string.Join(", ", s_rules.Select(one => one.Name))}. Default {s_rules[0].Name}.",
            DefaultValueFactory = _ => s_rules[0].Name,
        };
        rule.AcceptOnlyFromAmong([.. s_rules.Select(one => one.Name)]);
        var replications = new Option<int?>("--replications")
        {
            HelpName = "N",
            Description = "A fixed number of simulated setups, all clients of which count, instead of --rule.",
            CustomParser = result => Values.Integer(1, 10_000_000)(result),
        };
        var indifference = new Option<double?>("--indifference")
        {
            HelpName = "D",
            Description = "For P>=p: decide by Wald's test of p against p - D. Default: a test without indifference, which may stay undecided near p.",
            CustomParser = result => Values.Between(0, .5)(result),
        };
        var seed = CommonOptions.Seed();
        var command = new Command("estimate", "Answers a property such as 'P[ G<=10msg latency(publish) < 50ms ]', 'E[ max latency ]', 'Q0.95[ max latency ]' or 'D[ max latency ]'.")
        {
            property, model, log, profiles, clients, epsilon, error, rule, replications, indifference, seed,
        };
        command.SetAction((parse, _) =>
        {
            var asked = TraceProperty.Parse(parse.GetValue(property)!);
            var options = new PropertyOptions
            {
                Seed = parse.GetValue(seed),
                Error = parse.GetValue(error),
                Epsilon = parse.GetValue(epsilon),
                Rule = s_rules.First(one => one.Name == parse.GetValue(rule)).Create,
                Replications = parse.GetValue(replications),
                Indifference = parse.GetValue(indifference),
            };
            var modelFile = parse.GetValue(model);
            var logFile = parse.GetValue(log);
            if (modelFile is null == logFile is null) throw new InputException("estimate: the traces come from --model or from --log; allowed: one of them.");
            if (logFile is not null)
            {
                var read = ExchangeLogReader.Read(logFile.ToString());
                foreach (var warning in read.Warnings) screen.Warn(warning);
                var answer = PropertyEstimator.OfLog(asked, read.Exchanges, options);
                Print(screen, answer, logFile.ToString());
                return Task.FromResult(CodeOf(answer));
            }
            var learned = LatencyModelFile.Read(modelFile!.ToString());
            var code = ExitCode.Success;
            foreach (var population in CommonOptions.Read(parse.GetValue(profiles)!))
            {
                foreach (var count in parse.GetValue(clients)!)
                {
                    foreach (var note in learned.Extrapolations(population, count)) screen.Line($"Note: {note}");
                    var answer = PropertyEstimator.Simulate(asked, learned.Model, population, count, options, interruption.Orderly);
                    Print(screen, answer, string.Create(CultureInfo.InvariantCulture, $"{population.Name}, {count} clients"));
                    code = Worse(code, CodeOf(answer));
                }
            }
            return Task.FromResult(code);
        });
        return command;
    }

    /// <summary>The property of a command.</summary>
    internal static Argument<string> Property() => new("property") { HelpName = "PROPERTY", Description = "What is asked about the trace of a client: its sequence of messages." };

    /// <summary><c>--error</c>.</summary>
    internal static Option<double> Error(string description) => new("--error")
    {
        HelpName = "P",
        Description = description,
        DefaultValueFactory = _ => .01,
        CustomParser = Values.Between(0, .5),
    };

    private static void Print(Screen screen, PropertyAnswer answer, string where)
    {
        var isDuration = answer.Property.Measure?.IsDuration ?? false;
        string Number(double value) => double.IsInfinity(value) ? "infinite" : value.ToString(isDuration ? "0.###" : "0.####", CultureInfo.InvariantCulture) + (isDuration ? " ms" : "");
        string Range(Statistics.Interval interval) => $"[{Number(interval.Lower)}, {Number(interval.Upper)}]";
        var verdict = answer.Property.Kind is PropertyKind.AtLeast or PropertyKind.AtMost
            ? answer.Holds switch
            {
                true => "holds",
                false => "does not hold",
                null => "undecided",
            }
            : "";
        var estimate = answer.Estimate is { } value ? (verdict.Length > 0 ? $", estimate {Number(value)}" : Number(value)) : "";
        var interval = answer.Interval is { } some ? $" {Range(some)}" : "";
        screen.Line($"{answer.Property}  {where}: {verdict}{estimate}{interval}".TrimEnd(':', ' '));
        if (answer.Quantiles.Count > 0)
        {
            var table = new TextTable("share", "value", "interval");
            foreach (var row in answer.Quantiles) table.Add(row.Share.ToString(CultureInfo.InvariantCulture), Number(row.Value), Range(row.Interval));
            table.Print(screen);
        }
        screen.Line($"  {answer.Method}");
        screen.Line(string.Create(CultureInfo.InvariantCulture, $"  {answer.Traces} traces, {answer.Units} {answer.UnitName}")
            + Left(answer.WithoutValue, "without a value") + Left(answer.CutShort, "ended before they decided") + Left(answer.NotCounted, "not counted"));
    }

    private static string Left(long count, string what) => count == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"; {count} {what}");

    private static int CodeOf(PropertyAnswer answer) => answer.Property.Kind is not (PropertyKind.AtLeast or PropertyKind.AtMost) ? ExitCode.Success : answer.Holds switch
    {
        true => ExitCode.Success,
        false => ExitCode.Refuted,
        null => ExitCode.Withheld,
    };

    private static int Worse(int one, int other) => one == ExitCode.Refuted || other == ExitCode.Refuted ? ExitCode.Refuted : Math.Max(one, other);
}
