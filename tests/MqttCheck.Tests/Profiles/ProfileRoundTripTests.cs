using System.Text.Json.Nodes;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Json;
using MqttCheck.Profiles;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Profiles;

/// <summary>A profile written for a worker, a log or the page is read back without loss.</summary>
[TestFixture]
public sealed class ProfileRoundTripTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(29, 9);

    private static readonly JsonNode s_schema = Schema();

    [Test]
    public void Two_user_properties_of_one_name_are_refused_since_a_file_has_room_for_one()
    {
        var profile = TestProfiles.Up1 with { UserProperties = [new("a", "1"), new("a", "2")] };
        Assert.That(
            () => JsonText.Of(writer => ProfileFile.Write(writer, Population.Of(profile))),
            Throws.ArgumentException
        );
    }

    [Test]
    public void A_written_profile_reads_back_equal_and_conforms_to_the_schema()
    {
        var keys = new HashSet<string>();
        Check.One(
            s_config,
            Prop.ForAll(
                ProfileGenerators.Profile.ToArbitrary(),
                profile =>
                {
                    var json = JsonText.Of(writer => ProfileFile.Write(writer, Population.Of(profile)));
                    var read = ProfileFile.Parse(json, "written").Groups.Single().Profile;
                    // A template is an object of its own: its text is what counts.
                    Assert.That(read with { Payload = profile.Payload }, Is.EqualTo(profile));
                    Assert.That(read.Payload?.Text, Is.EqualTo(profile.Payload?.Text));
                    var node = JsonNode.Parse(json)!;
                    Assert.That(SchemaCheck.Conforms(node, s_schema, s_schema), Is.True, node.ToJsonString());
                    keys.UnionWith(node.AsObject().Select(member => member.Key));
                }
            )
        );
        var known = s_schema["$defs"]!["profile"]!["properties"]!.AsObject().Select(member => member.Key);
        Assert.That(keys, Is.EquivalentTo(known.Except(["$schema"])), "every key of the schema was written");
    }

    [Test]
    public void A_population_keeps_the_profiles_of_its_groups()
    {
        Check.One(
            s_config.WithMaxTest(100),
            Prop.ForAll(
                ProfileGenerators.Profile.Select(profile => profile with { Payload = null }).Two().ToArbitrary(),
                pair =>
                {
                    var population = new Population
                    {
                        Name = "plant",
                        Groups = [new("one", 3, pair.Item1), new("two", .5, pair.Item2)],
                    };
                    var json = JsonText.Of(writer => ProfileFile.Write(writer, population));
                    Assert.That(ProfileFile.Parse(json, "written").Groups, Is.EqualTo(population.Groups));
                }
            )
        );
    }

    private static JsonNode Schema()
    {
        using var stream = typeof(ProfileFile).Assembly.GetManifestResourceStream("profiles/profile.schema.json");
        return JsonNode.Parse(stream!)!;
    }
}
