using System.Text.Json.Nodes;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Json;
using MqttCheck.Latency.Files;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Tests.Profiles;

namespace MqttCheck.Tests.Json;

/// <summary>Formats keep their laws, and the published schemas and tables are those of the declarations.</summary>
internal sealed class JsonFormatTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithMaxTest(100).WithReplay(29, 9);

    [Test]
    public void A_profile_keeps_the_laws_and_every_key_is_tried()
    {
        var keys = new HashSet<string>();
        Check.One(
            s_config,
            Prop.ForAll(
                ProfileGenerators.Profile.ToArbitrary(),
                profile =>
                {
                    var read = FormatLaws.Hold(ProfileFormat.Profile(null), profile);
                    // A template is an object of its own: its text is what counts.
                    Assert.That(
                        (read with { Payload = profile.Payload }, read.Payload?.Text),
                        Is.EqualTo((profile, profile.Payload?.Text))
                    );
                    var written = JsonNode.Parse(ProfileFormat.Inline.ToBytes(Population.Of(profile)))!;
                    keys.UnionWith(written.AsObject().Select(member => member.Key));
                }
            )
        );
        var known = ProfileFormat.Profile("").Schema!()["properties"]!.AsObject().Select(member => member.Key);
        Assert.That(keys, Is.EquivalentTo(known.Except(["$schema"])));
    }

    [Test]
    public void A_population_keeps_the_laws_and_the_profiles_of_its_groups() =>
        Check.One(
            s_config.WithMaxTest(20),
            Prop.ForAll(
                ProfileGenerators.Profile.Select(profile => profile with { Payload = null }).Two().ToArbitrary(),
                pair =>
                {
                    var population = new Population
                    {
                        Name = "plant",
                        Groups = [new("one", 3, pair.Item1), new("two", .5, pair.Item2)],
                    };
                    // Only groups with names of their own stand beside filters.
                    if (TopicSpace.FindError(population) is not null)
                        return;
                    Assert.That(
                        FormatLaws.Hold(ProfileFormat.Inline, population, "groups").Groups,
                        Is.EqualTo(population.Groups)
                    );
                }
            )
        );

    [Test]
    public void A_workload_keeps_the_laws([Values] ArrivalKind arrivals, [Values(0, 3)] int messages)
    {
        var workload = new Workload
        {
            Name = "all",
            Description = "d",
            Shape = WorkloadShape.FanIn,
            Publishers = 20,
            Subscribers = 2,
            Arrivals = arrivals,
            MessagesPerSecond = arrivals == ArrivalKind.Closed ? 1000 : 50,
            InFlight = 3,
            Qos = QualityOfService.ExactlyOnce,
            SubscribeQos = QualityOfService.AtLeastOnce,
            Version = ProtocolVersion.V311,
            PersistentSubscribers = true,
            Payload = LoadPayload.Parse("10..20", "test"),
            WarmUpPayload = LoadPayload.OfSize(10),
            Topic = "a/{group}/{publisher}",
            Filter = "a/{subscriber}/#",
            WarmUp = new(messages, TimeSpan.FromSeconds(.5)),
            Duration = TimeSpan.FromSeconds(4),
            OfflineShare = .5,
            OfflineTime = TimeSpan.FromSeconds(1),
            OfflineFrom = TimeSpan.FromSeconds(.5),
            Burst = new(0, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)),
        };
        Assert.That(FormatLaws.Hold(WorkloadFormat.Kind, workload), Is.EqualTo(workload));
    }

    [Test]
    public void The_files_that_come_with_the_program_keep_the_laws()
    {
        FormatLaws.Hold(
            PredictionFormat.Kind,
            PredictionFile.Read(RepositoryFiles.At("samples/results/embedded.prediction.json"))
        );
        FormatLaws.Hold(
            RunFormat.Kind,
            RunInformationFile.TryRead(RepositoryFiles.At("samples/logs/embedded.csv.gz"))!
        );
        FormatLaws.Hold(ModelFormat.File, LatencyModelFile.Read(RepositoryFiles.At("models/embedded-example.json")));
        foreach (var name in ProfileFile.BuiltInNames)
            FormatLaws.Hold(ProfileFormat.Inline, ProfileFile.Read(name), "groups");
        foreach (var name in WorkloadFile.BuiltInNames)
            FormatLaws.Hold(WorkloadFormat.Kind, WorkloadFile.Read(name));
    }

    [TestCase(
        "profiles/profile.schema.json",
        "MqttCheck usage profile or population",
        "A usage profile says what one client sends and how often; a population mixes groups of clients with their "
            + "own profiles."
    )]
    [TestCase(
        "profiles/workloads/workload.schema.json",
        "MqttCheck workload",
        "A load by messages for mqttcheck bench: who publishes what to whom, when, and with which guarantees."
    )]
    public void The_published_schema_is_that_of_the_declaration(string path, string title, string description)
    {
        var kind = path.Contains("workload", StringComparison.Ordinal)
            ? WorkloadFormat.Kind.Schema!()
            : ProfileFormat.Inline.Schema!();
        var schema = PublishedSchema.Of(title, description, kind);
        if (Environment.GetEnvironmentVariable("MQTTCHECK_WRITE_SCHEMAS") is not null)
            File.WriteAllBytes(RepositoryFiles.At(path), schema);
        Assert.That(
            File.ReadAllBytes(RepositoryFiles.At(path)),
            Is.EqualTo(schema),
            $"MQTTCHECK_WRITE_SCHEMAS=1 dotnet test writes {path} anew"
        );
    }

    [Test]
    public void The_table_of_the_reference_has_every_key_of_a_profile_as_it_is_declared()
    {
        var rows = JsonFormat.Describe<UsageProfile>(fields => ProfileFormat.Fields(fields, null)).Rows;
        Assert.That(
            File.ReadAllText(RepositoryFiles.At("docs/reference/profiles.md")),
            Does.Contain(string.Join('\n', rows))
        );
    }
}
