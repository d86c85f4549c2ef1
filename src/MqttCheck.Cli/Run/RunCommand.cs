using System.CommandLine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;

namespace MqttCheck.Cli.Run;

/// <summary><c>mqttcheck run</c>: all stages on one broker.</summary>
internal static class RunCommand
{
    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var broker = new TargetBrokerOptions();
        var test = new VerifyOptions();
        var profiles = CommonOptions.Profiles();
        var clients = new Option<int[]?>("--clients", "-n")
        {
            HelpName = "N,N,...",
            Description = $"How many clients. Default {string.Join(',', RunPlan.Clients)}.",
            CustomParser = Values.Integers(1, 20_000),
        };
        var thresholds = CommonOptions.Thresholds();
        var quick = new Option<bool>("--quick")
        {
            Description =
                "Under 40 seconds instead of 3 minutes: a coarse model, fewer runs, a larger error. What comes out is marked as coarse.",
        };
        var explore = CommonOptions.ExploreFor();
        var verifyDelay = new Option<string?>("--verify-delay")
        {
            HelpName = "LAW",
            Description =
                "Embedded broker: the delay law while verifying, if it is to differ from --delay: shows how a change of the broker is found.",
        };
        var baseline = new Option<FileInfo?>("--save-baseline")
        {
            HelpName = "FILE",
            Description = "Store the verified runs in this file, for 'compare --baseline' to compare later ones with.",
        };
        var learner = CommonOptions.Learner();
        var mqtt = CommonOptions.Mqtt();
        var client = ClientOption.Create();
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputDirectory();
        var verbose = new Option<bool>("--verbose")
        {
            Description =
                "Print the table of all predicted points, and why each verdict was given. The report has both.",
        };
        var format = FormatOption.Printed();
        var command = new Command(
            "run",
            "Does everything: explores a broker, learns its latencies, predicts, verifies the prediction on the broker, and writes report.html."
        )
        {
            profiles,
            clients,
            thresholds,
            quick,
            explore,
            learner,
            verifyDelay,
            baseline,
            mqtt,
            client,
            seed,
            output,
            verbose,
            format,
        };
        broker.AddTo(command);
        test.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                var plan = (parse.GetValue(quick) ? RunPlan.Quick : RunPlan.Full).ExploringFor(parse.GetValue(explore));
                var choice = broker.Choose(parse, userSeed) with
                {
                    Client = ClientOption.Choose(parse.GetValue(client)),
                };
                var changed = parse.GetValue(verifyDelay);
                if (changed is not null && choice.Specification.Kind != BrokerKind.Embedded)
                    throw new InputException(
                        $"--verify-delay: given for {choice.Specification.Name}; allowed: only with --broker embedded."
                    );
                IReadOnlyList<int> predicted = parse.GetValue(clients) is { Length: > 0 } given
                    ? given
                    : RunPlan.Clients;
                test.RequirePredicted(parse, predicted);
                if (parse.GetValue(baseline) is { } stored)
                    OutputPath.RequireWritable(stored.ToString(), baseline.Name);
                var directory = parse.GetValue(output)!.ToString();
                OutputPath.RequireDirectory(directory, output.Name);
                var pipeline = new Pipeline(screen, interruption)
                {
                    Plan = plan,
                    Broker = choice,
                    VerifyBroker = changed is null ? null : broker.Choose(parse, userSeed, changed),
                    Populations = CommonOptions.Read(parse.GetValue(profiles)!),
                    Clients = predicted,
                    Thresholds = parse.GetValue(thresholds) ?? [],
                    VerifyClients = test.Clients(parse),
                    VerifyAllThresholds = test.AllThresholds(parse),
                    Test = points => test.Test(parse, plan, points),
                    IsNumberOfRunsFixed = test.IsNumberOfRunsFixed(parse),
                    VerificationBudget = test.Budget(parse, plan),
                    MonteCarloSequences = test.MonteCarloSequences(parse),
                    Learner = CommonOptions.Learner(parse.GetValue(learner), plan.Learner),
                    Seed = userSeed,
                    ProtocolVersion = CommonOptions.Protocol(parse.GetValue(mqtt)),
                    Files = RunFiles.Named(directory, choice.Specification.Name, screen.Time.GetUtcNow()),
                    SaveBaseline = parse.GetValue(baseline)?.ToString(),
                    Report = Path.Combine(directory, "report.html"),
                    Format = FormatOption.Of(parse, format),
                    IsVerbose = parse.GetValue(verbose),
                    Repeat = Repeat.CommandLine(arguments, userSeed),
                };
                return await pipeline.RunAsync();
            }
        );
        return command;
    }
}
