using System.Text;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Profiles;

public sealed class ProfileFileTests : DirectoryFixture
{
    private const string Good = """
        {
          "name": "mine",
          "waitMilliseconds": { "uniform": [0, 500] },
          "weights": { "publish": 5, "disconnect": 1 }
        }
        """;

    [Test]
    public void Profiles_of_the_paper_are_built_in()
    {
        var up1 = ProfileFile.Read("up1").Groups.Single().Profile;
        var up2 = ProfileFile.Read("up2").Groups.Single().Profile;
        using (Assert.EnterMultipleScope())
        {
            Assert.That(
                (up1.WaitMilliseconds, up1.Weights),
                Is.EqualTo((new UniformLaw(0, 500), new MessageWeights(1, 1, 5, 3, 2)))
            );
            Assert.That(
                (up2.WaitMilliseconds, up2.Weights),
                Is.EqualTo((new UniformLaw(50, 250), new MessageWeights(1, 1, 7, 1, 1)))
            );
            foreach (var profile in new[] { up1, up2 })
            {
                Assert.That(
                    (profile.Topics, profile.MinimumPayloadBytes, profile.MaximumPayloadBytes),
                    Is.EqualTo((100, 12, 80))
                );
                Assert.That((profile.Qos, profile.SequenceLength), Is.EqualTo((QualityOfService.AtLeastOnce, 10)));
            }
        }
    }

    [Test]
    public void Every_built_in_profile_can_be_read_under_its_own_name()
    {
        Assert.That(
            ProfileFile.BuiltInNames,
            Is.EqualTo(
                new[] { "home-assistant", "population", "simultaneous-meters", "sparkplug", "tasmota", "up1", "up2" }
            )
        );
        foreach (var name in ProfileFile.BuiltInNames)
            Assert.That(ProfileFile.Read(name).Name, Is.EqualTo(name));
    }

    [Test]
    public void Omitted_keys_take_their_documented_defaults()
    {
        var profile = Parse(Good).Groups.Single().Profile;
        var defaults = new UsageProfile
        {
            Name = "mine",
            WaitMilliseconds = new UniformLaw(0, 500),
            Weights = new MessageWeights(1, 1, 5, 0, 0),
        };
        Assert.That(profile, Is.EqualTo(defaults));
    }

    [TestCase("""{ "constant": 3 }""", "constant:3ms")]
    [TestCase("""{ "uniform": [1, 2.5] }""", "uniform:1..2.5ms")]
    [TestCase("""{ "exponential": 20 }""", "exponential:20ms")]
    [TestCase("""{ "normal": [20, 4] }""", "normal:20ms,4ms")]
    [TestCase("""{ "lognormal": [20, 0.5] }""", "lognormal:20ms,0.5")]
    public void Every_form_of_wait_is_read(string wait, string law) =>
        Assert.That(
            Parse(Good.Replace("""{ "uniform": [0, 500] }""", wait)).Groups[0].Profile.WaitMilliseconds.ToString(),
            Is.EqualTo(law)
        );

    [TestCase(
        "\"publish\": 5",
        "\"publish\": -5",
        "mine.json:4: weights.publish: -5 given; allowed: a number, 0 .. 1000000000"
    )]
    [TestCase(
        "\"publish\": 5",
        "\"publish\": \"NaN\"",
        "mine.json:4: weights.publish: \"NaN\" given; allowed: a number, 0 .. 1000000000"
    )]
    [TestCase(
        "\"publish\": 5",
        "\"publish\": 1e999",
        "mine.json:4: weights.publish: 1e999 given; allowed: a number, 0 .. 1000000000"
    )]
    [TestCase("\"publish\": 5", "\"publish\": NaN", "mine.json:4: not valid JSON: 'N' is an invalid start of a value.")]
    [TestCase(
        "\"publish\"",
        "\"publsh\"",
        "mine.json:4: weights.publsh: unknown key; allowed: connect, disconnect, publish, subscribe, unsubscribe"
    )]
    [TestCase(
        "\"publish\"",
        "\"disconnect\"",
        "mine.json:4: weights.disconnect: the key is given twice; allowed: once"
    )]
    [TestCase(
        "[0, 500]",
        "[500, 0]",
        "mine.json:3: waitMilliseconds.uniform: minimum 500 is "
            + "greater than maximum 0; allowed: [min, max] with min <= max"
    )]
    [TestCase(
        "[0, 500]",
        "[0]",
        "mine.json:3: waitMilliseconds.uniform: an array given; allowed: an array of two numbers"
    )]
    [TestCase(
        "\"uniform\"",
        "\"zipf\"",
        "mine.json:3: waitMilliseconds.zipf: unknown key; allowed: one of {\"constant\": c}"
    )]
    [TestCase(
        "{ \"uniform\": [0, 500] }",
        "7",
        "mine.json:3: waitMilliseconds: 7 given; allowed: one of {\"constant\": c}"
    )]
    [TestCase(
        "{ \"uniform\": [0, 500] }",
        "{ \"exponential\": 0 }",
        "mine.json:3: waitMilliseconds.exponential: 0 given; allowed: a positive number"
    )]
    [TestCase("\"name\": \"mine\",", "", "mine.json:1: name: the key is missing; allowed: 1 to 64 letters")]
    [TestCase("\"mine\"", "\"../mine\"", "mine.json:2: name: \"../mine\" given; allowed: 1 to 64 letters")]
    [TestCase("\"mine\",", "\"mine\", \"qos\": 3,", "mine.json:2: qos: 3 given; allowed: an integer, 0 .. 2")]
    [TestCase(
        "\"mine\",",
        "\"mine\", \"topics\": 1.5,",
        "mine.json:2: topics: 1.5 given; allowed: an integer, 1 .. 65536"
    )]
    [TestCase(
        "\"mine\",",
        "\"mine\", \"payloadBytes\": [80, 12],",
        "mine.json:2: payloadBytes: minimum 80 is greater than maximum 12; allowed: [min, max] with min <= max"
    )]
    [TestCase(
        "\"mine\",",
        "\"mine\", \"payloadBytes\": [4, 12],",
        "mine.json:2: payloadBytes[0]: 4 given; allowed: an integer, 12 .. 1048576"
    )]
    [TestCase(
        "{ \"publish\": 5, \"disconnect\": 1 }",
        "{ \"connect\": 0, \"publish\": 0 }",
        "mine.json:4: weights: a connected client can come to a state in which every enabled kind has weight 0"
    )]
    [TestCase(
        "\"publish\": 5, \"disconnect\": 1",
        "\"unsubscribe\": 1",
        "mine.json:4: weights: a connected client can come to a state in which every enabled kind has weight 0"
    )]
    [TestCase(
        "\"disconnect\": 1 }\n}",
        "\"disconnect\": 1 }",
        "mine.json:4: not valid JSON: Expected depth to be zero at the end of the JSON payload."
    )]
    [TestCase("\"mine\",", "\"mine\" \"x\",", "mine.json:2: not valid JSON:")]
    public void Wrong_input_is_refused_with_value_range_file_line_and_key(
        string part,
        string replacement,
        string message
    )
    {
        Assert.That(Good, Does.Contain(part));
        var failure = Assert.Throws<InputException>(() => Parse(Good.Replace(part, replacement)));
        Assert.That(failure!.Message, Does.StartWith(message));
    }

    [TestCase(9, true)]
    [TestCase(8, false)]
    public void Subscribing_alone_is_enough_only_while_topics_last_for_a_sequence(int topics, bool valid)
    {
        var text = Good.Replace("\"publish\": 5, \"disconnect\": 1", "\"subscribe\": 1")
            .Replace("\"mine\",", $"\"mine\", \"topics\": {topics},");
        Assert.That(() => Parse(text), valid ? Throws.Nothing : Throws.InstanceOf<InputException>());
    }

    [Test]
    public void All_findings_come_at_once()
    {
        var failure = Assert.Throws<InputException>(() =>
            Parse(
                """
                {
                  "name": "mine", "sequenceLength": 0,
                  "waitMilliseconds": { "uniform": [9, 1] },
                  "weights": { "publish": -1, "conect": 1 },
                  "colour": "red"
                }
                """
            )
        );
        Assert.That(
            failure!.Message.Split('\n').Select(line => line[..line.IndexOf(": ", 12, StringComparison.Ordinal)]),
            Is.EqualTo(
                new[]
                {
                    "mine.json:3: waitMilliseconds.uniform",
                    "mine.json:4: weights.publish",
                    "mine.json:4: weights.conect",
                    "mine.json:2: sequenceLength",
                    "mine.json:5: colour",
                }
            )
        );
    }

    [Test]
    public void Findings_inside_a_population_name_the_group()
    {
        var failure = Assert.Throws<InputException>(() =>
            Parse(
                """
                { "name": "p", "groups": [
                  { "name": "a", "share": 0, "profile": "up1" },
                  { "name": "a", "share": 1, "profile": { "waitMilliseconds": { "constant": 1 }, "weights": { "publish": true } } },
                  { "name": "b", "share": 1, "profile": "nope" }
                ] }
                """
            )
        );
        Assert.That(
            failure!.Message.Split('\n'),
            Is.EqualTo(
                new[]
                {
                    "mine.json:2: groups[0].share: 0 given; allowed: a positive number",
                    "mine.json:3: groups[1].profile.weights.publish: true given; allowed: a number, 0 .. 1000000000",
                    "mine.json:3: groups[1].name: \"a\" given; allowed: a name that no other group has",
                    "mine.json:4: groups[2].profile: \"nope\" given, which cannot be read:",
                    "profile \"nope\": there is no such file; allowed: the path of "
                        + "a JSON file or one of the built-in names home-assistant, "
                        + "population, simultaneous-meters, sparkplug, tasmota, up1, up2",
                }
            )
        );
    }

    [Test]
    public void Population_may_name_profiles_built_in_or_beside_it_but_no_populations()
    {
        var path = In("p.json");
        File.WriteAllText(In("mine.json"), Good);
        File.WriteAllText(
            path,
            """{ "name": "p", "groups": [ { "name": "a", "share": 1, "profile": "up2" }, { "name": "b", "share": 2, "profile": "mine.json" } ] }"""
        );
        Assert.That(
            ProfileFile.Read(path).Groups.Select(group => group.Profile.Name),
            Is.EqualTo(new[] { "up2", "mine" })
        );
        File.WriteAllText(path, """{ "name": "p", "groups": [ { "name": "a", "share": 1, "profile": "p.json" } ] }""");
        Assert.That(
            () => ProfileFile.Read(path),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("a population inside a population given; allowed: a profile")
        );
    }

    [Test]
    public void Two_user_properties_of_one_name_are_refused_since_a_file_has_room_for_one() =>
        Assert.That(
            () =>
                ProfileFormat.Inline.ToBytes(
                    Population.Of(TestProfiles.Up1 with { UserProperties = [new("a", "1"), new("a", "2")] })
                ),
            Throws.ArgumentException
        );

    [Test]
    public void Clients_of_any_profile_that_is_accepted_never_send_a_kind_of_weight_zero()
    {
        var random = RandomStream.For(1);
        foreach (
            var weights in new[]
            {
                "\"subscribe\": 1",
                "\"subscribe\": 1, \"unsubscribe\": 1",
                "\"disconnect\": 1",
                "\"publish\": 1, \"unsubscribe\": 1",
            }
        )
        {
            var profile = Parse(Good.Replace("\"publish\": 5, \"disconnect\": 1", weights)).Groups[0].Profile;
            var model = new ClientModel(profile);
            var state = model.Begin(ref random);
            var subscribed = new ulong[model.Words];
            for (var i = 0; i < 2000; i++)
            {
                var action = model.Next(state, subscribed, int.MaxValue, ref random);
                if (action.Phase != ExchangePhase.Reset)
                    Assert.That(profile.Weights.Of(action.Kind), Is.GreaterThan(0), weights);
                model.Complete(ref state, subscribed, action, success: true);
            }
        }
    }

    private static Population Parse(string text) => ProfileFile.Parse(Encoding.UTF8.GetBytes(text), "mine.json");
}
