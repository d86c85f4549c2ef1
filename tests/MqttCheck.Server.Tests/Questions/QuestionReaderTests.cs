using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Tests.Questions;

/// <summary>A question is read as files are: the same profile, or the same words.</summary>
[TestFixture]
internal sealed class QuestionReaderTests
{
    private static readonly ModelShelf s_models = Shelf();

    [Test]
    public void A_profile_in_a_question_is_what_a_file_with_it_says()
    {
        foreach (var name in ProfileFile.BuiltInNames)
        {
            var question = Read(TestServer.Question(profile: ProfileDocument.Of(ProfileFile.Read(name)).Text));
            Assert.That(question.Scenarios[0].Profile.BuiltInName, Is.EqualTo(name));
            Assert.That(
                ProfileDocument.Of(question.Scenarios[0].Population).Sha256,
                Is.EqualTo(ProfileDocument.Of(ProfileFile.Read(name)).Sha256)
            );
        }
    }

    [Test]
    public void A_question_keeps_every_key_of_load_and_packets()
    {
        var profile = ProfileFile.Read("up1").Groups[0].Profile with
        {
            ConnectsPerSecond = 40,
            Stages = [new(1, 2), new(2, .5)],
            KeepAliveSeconds = 30,
            Retain = true,
            CleanSessions = true,
            ShareName = "pool",
            MessageExpirySeconds = 60,
            UserProperties = [new("site", "north")],
            TopicAliases = 5,
            Will = new("status/{client}", "gone", QualityOfService.AtLeastOnce),
        };
        var text = ProfileDocument.Of(Population.Of(profile)).Text;
        var read = Read(TestServer.Question(profile: text)).Scenarios[0].Population;
        Assert.That(read.Groups[0].Profile, Is.EqualTo(profile));
    }

    [TestCase("\"up1\"", "scenarios[0].profile: \"up1\" given; allowed: an object")]
    [TestCase("\"/etc/passwd\"", "allowed: an object")]
    [TestCase("""{ "name": "p", "groups": [{ "name": "g", "share": 1, "profile": "up1" }] }""", "\"up1\" given")]
    [TestCase("""{ "name": "../p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 } }""", "../p")]
    public void A_name_or_a_path_in_place_of_a_profile_is_refused(string profile, string message) =>
        Assert.That(
            () => Read(TestServer.Question(profile: profile)),
            Throws.TypeOf<InputException>().With.Message.Contains(message)
        );

    [Test]
    public void A_model_that_is_not_offered_is_refused_with_those_that_are() =>
        Assert.That(
            () => Read(TestServer.Question().Replace("embedded-example", "../models/x", StringComparison.Ordinal)),
            Throws.TypeOf<InputException>().With.Message.EndsWith("given; allowed: \"embedded-example\"")
        );

    // False alarms: none, the law is exact. A threshold means the same in a question and on the command line.
    [Test]
    public void What_a_command_reads_of_a_threshold_is_what_is_simulated() =>
        Prop.ForAll(
                Gen.Choose(1, 100_000_000).Select(tenths => tenths / 10_000.0).ToArbitrary(),
                milliseconds =>
                {
                    var threshold = new Threshold(milliseconds);
                    Assert.That(Cli.Terminal.Values.TryDuration(threshold.Option, out var read));
                    return read.TotalMilliseconds == threshold.Milliseconds;
                }
            )
            .Check(Config.QuickThrowOnFailure.WithReplay(11, 13).WithMaxTest(1000));

    [Test]
    public void Every_finding_is_said_at_once()
    {
        var wrong =
            """{ "session": "a b", "request": 1.5, "scenarios": [], "thresholdMilliseconds": 0, "colour": 1 }""";
        var message = Assert.Throws<InputException>(() => Read(wrong))!.Message;
        Assert.That(message.Split('\n'), Has.Length.EqualTo(5), message);
    }

    private static Question Read(string text) => new QuestionReader(s_models).Read(Encoding.UTF8.GetBytes(text));

    private static ModelShelf Shelf()
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        return models;
    }
}
