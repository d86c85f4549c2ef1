using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

[TestFixture]
internal sealed class ScenarioGeneratorTests
{
    private static readonly ScenarioGenerator s_generator = new(
        new GeneratorOptions
        {
            Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
            Defects311 = ["qos-3", MalformedCommand.NoConnect],
            Defects5 = ["qos-3", MalformedCommand.NoConnect],
        }
    );

    private static readonly Arbitrary<Scenario> s_all = Arb.From(
        Gen.OneOf(s_generator.Scenarios, s_generator.WaitingScenarios()),
        ScenarioShrinker.Shrink
    );

    [Test]
    public void The_same_seed_gives_the_same_scenarios() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(3, 7),
            Prop.ForAll(
                ArbMap.Default.ArbFor<ulong>(),
                ArbMap.Default.ArbFor<ulong>(),
                (seed, number) =>
                    s_generator.Generate(seed, number) == s_generator.Generate(seed, number)
                    && s_generator.GenerateWaiting(seed, number) == s_generator.GenerateWaiting(seed, number)
            )
        );

    [Test]
    public void Scenarios_of_other_numbers_and_seeds_differ() =>
        Assert.That(
            Enumerable
                .Range(0, 500)
                .SelectMany(i => new[] { s_generator.Generate(1, (ulong)i), s_generator.Generate(2, (ulong)i) })
                .Distinct()
                .Count(),
            Is.GreaterThan(990)
        );

    [Test]
    public void Every_scenario_reads_back_from_its_text() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(11, 13).WithMaxTest(500),
            Prop.ForAll(
                Arb.From(s_all.Generator),
                scenario => ScenarioText.Parse(scenario.ToString(), scenario.Version, "text") == scenario
            )
        );

    [Test]
    public void Every_command_is_allowed_by_the_functional_model_at_its_place() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(17, 19).WithMaxTest(2000),
            Prop.ForAll(Arb.From(s_all.Generator), scenario => FirstForbidden(scenario) is null)
        );

    [Test]
    public void What_the_shrinker_offers_is_not_longer_and_reads_back() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(23, 29).WithMaxTest(60),
            Prop.ForAll(
                Arb.From(s_all.Generator),
                scenario =>
                    ScenarioShrinker
                        .Shrink(scenario)
                        .All(simpler =>
                            simpler.Version == scenario.Version
                            && simpler.Steps.Count is > 0 and var count
                            && count <= scenario.Steps.Count
                            && simpler.Clients <= scenario.Clients
                            && !simpler.Steps[0].Concurrent
                            && ScenarioText.Parse(simpler.ToString(), simpler.Version, "text") == simpler
                        )
            )
        );

    [Test]
    public void Scenarios_grow_with_the_size()
    {
        var lengths = new[] { 0, 10, 30, 50, 100 }.Select(size =>
            s_generator.Scenarios.Sample(500, new Rnd(31), size).Max(scenario => scenario.Steps.Count)
        );
        Assert.That(lengths, Is.EqualTo(new[] { 4, 4, 14, 24, 24 }));
    }

    // Seed 37. Each is expected at least 60 times; with counts about Poisson, 30 or fewer come with a probability below
    // 2e-5 for another seed.
    [Test]
    public void Every_kind_of_command_and_every_option_comes_often()
    {
        var words = Enumerable.Range(0, 4000).Select(i => s_generator.Generate(37, (ulong)i)).ToList();
        Assert.That(
            (words.Exists(scenario => scenario.Waits), words.Max(scenario => scenario.Clients)),
            Is.EqualTo((false, 4))
        );
        var steps = words.SelectMany(scenario => scenario.Steps).ToList();
        Assert.That(steps.Count(step => step.Concurrent), Is.GreaterThan(8000));
        var texts = steps.ConvertAll(step => step.Command.ToString());
        string[] common =
        [
            "connect clean",
            "connect resume",
            "disconnect",
            "drop",
            "subscribe ",
            "unsubscribe ",
            "publish ",
            "ping",
            "hold",
            "release",
            "malformed qos-3",
            "malformed no-connect",
        ];
        string[] options =
        [
            " will=",
            ":retain",
            " expiry=1000",
            " window=",
            " aliases=",
            " max=",
            " wrong-password",
            " no-id",
            " with-will",
            "$share/",
            ":no-local",
            ":as-published",
            ":handling=1",
            ":handling=2",
            " id=",
            " qos=0",
            " qos=1",
            " qos=2",
            " retain",
            " empty",
            " dup",
            " repeat",
            " reuse",
            " cut=publish",
            " cut=pubrec",
            " alias=",
            " properties",
            " size=",
            "answer",
            "answer reason=",
            " long",
            " reason-string",
            " user-properties",
            " reason=",
            " problem=0",
            " response=",
            " will-expiry=1000",
            " version=3.1.1",
            " client-id=case",
            " client-id=long",
            " split=",
            " with-next",
            "\uFEFF~/a",
            "~/a%20 ",
            "~/a%20:",
        ];
        Assert.That(
            common.Where(start => texts.Count(text => text.StartsWith(start, StringComparison.Ordinal)) < 30),
            Is.Empty
        );
        Assert.That(
            options.Where(option => texts.Count(text => text.Contains(option, StringComparison.Ordinal)) < 30),
            Is.Empty
        );
    }

    [Test]
    public void A_publication_is_sent_twice_only_where_the_standard_lets_clients_do_so()
    {
        var publishes = Enumerable
            .Range(0, 2000)
            .Select(i => s_generator.Generate(41, (ulong)i))
            .SelectMany(scenario =>
                scenario.Steps.Select(step =>
                    (Version: scenario.VersionOf(step.Client), Publish: step.Command as PublishCommand)
                )
            )
            .Where(entry => entry.Publish is { Repeat: true })
            .ToList();
        Assert.That(
            publishes.TrueForAll(entry =>
                entry
                    is {
                        Version: ProtocolVersion.V311,
                        Publish: { Qos: > QualityOfService.AtMostOnce, Cut: PublishCut.None }
                    }
            )
        );
        Assert.That(publishes.Select(entry => entry.Publish!.Qos).Distinct().Count(), Is.EqualTo(2));
    }

    [Test]
    public void What_only_MQTT_5_has_is_left_out_of_3_1_1()
    {
        var generator = new ScenarioGenerator(new GeneratorOptions());
        var text = string.Join('\n', Enumerable.Range(0, 300).Select(i => generator.Generate(2, (ulong)i)));
        text += string.Join('\n', Enumerable.Range(0, 300).Select(i => generator.GenerateWaiting(2, (ulong)i)));
        foreach (
            var word in (string[])
                [
                    "$share",
                    "no-local",
                    "max=",
                    "will-delay",
                    "as-published",
                    "handling",
                    "expiry",
                    "window",
                    "alias",
                    "properties",
                    " id=",
                ]
        )
            Assert.That(text, Does.Not.Contain(word));
    }

    // What clients can do is told here by ClientMachine alone, independently of the generator's own state.
    private static string? FirstForbidden(Scenario scenario)
    {
        var clients = new ClientState[scenario.Clients];
        var keepAlive = new int[scenario.Clients];
        var silence = new int[scenario.Clients];
        var opened = new HashSet<int>();
        var anonymous = new HashSet<int>();
        Span<ulong> none = [0];
        foreach (var step in scenario.Steps)
        {
            var client = step.Client;
            if (step.Command is WaitCommand wait)
            {
                for (var i = 0; i < clients.Length; i++)
                {
                    silence[i] += wait.Milliseconds;
                    if (clients[i].Connected && keepAlive[i] > 0 && silence[i] >= 1500 * keepAlive[i])
                        ClientMachine.Apply(ref clients[i], none, ClientInput.Drop);
                }
                continue;
            }
            if (step.Command is AnswerCommand)
            {
                if (!clients[client].Connected || scenario.VersionOf(client) != ProtocolVersion.V5)
                    return step.ToString();
                continue;
            }
            var input = step.Command.Input!.Value;
            var isAllowed = step.Command switch
            {
                // A broken CONNECT opens a connection of its own; every other broken packet needs one.
                MalformedCommand malformed => clients[client].Connected
                    != MalformedCommand.IsOfConnect(malformed.Defect, scenario.VersionOf(client)),
                ConnectCommand connect => !anonymous.Contains(client)
                    && !(connect.WithoutIdentifier && opened.Contains(client)),
                _ => ClientMachine.Allows(clients[client], input),
            };
            if (!isAllowed)
                return step.ToString();
            opened.Add(client);
            if (step.Command is not HoldCommand { Withhold: true })
                silence[client] = 0;
            if (step.Command is ConnectCommand { WithoutIdentifier: true })
                anonymous.Add(client);
            if (step.Command is ConnectCommand command)
            {
                keepAlive[client] = command.KeepAliveSeconds ?? 0;
                ClientMachine.Apply(
                    ref clients[client],
                    none,
                    input,
                    clean: command.Clean,
                    persists: command.Persists(scenario.VersionOf(step.Client))
                );
            }
            else
            {
                ClientMachine.Apply(ref clients[client], none, input);
            }
        }
        return null;
    }
}
