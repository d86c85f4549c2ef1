using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

// Mosquitto 2.0.11: the far end drops what its rights deny to the bridge, and the near end asks nobody.
[TestFixture]
internal sealed class AclFindingsTests : Lint
{
    private const string Named = "remote_username u";

    [TestCase("", "topic readwrite x/#", "x/# both 1", false)]
    [TestCase("", "topic read x/#", "x/# out 1", true)]
    [TestCase("", "topic write x/#", "x/# in 1", true)]
    [TestCase("", "topic x/a", "x/# both 1", false)]
    [TestCase("", "topic y/#", "x/# out 1", true)]
    [TestCase(Named, "topic x/#", "x/# out 1", true)]
    [TestCase(Named, "user u\ntopic x/#", "x/# out 1", false)]
    [TestCase(Named, "user v\ntopic x/#", "x/# out 1", true)]
    [TestCase(Named, "pattern write x/%u/#", "x/# out 1", false)]
    [TestCase("", "pattern write x/%u/#", "x/# out 1", true)]
    [TestCase("remote_clientid me", "pattern write %c/#", "you/# out 1", true)]
    [TestCase("remote_clientid me", "pattern write %c/#", "me/# out 1", false)]
    [TestCase("", "topic deny x/#", "x/# out 1", true)]
    [TestCase("", "topic p/#", "x/# out 1 \"\" p/", false)]
    public void A_line_without_a_right_at_the_far_end_is_told(string setting, string rights, string topic, bool isTold)
    {
        File.WriteAllText(In("rights"), rights + "\n");
        var remarks = Remarks(
            ConfRule.AclPattern,
            A("topic " + topic, setting),
            B($"acl_file {In("rights")}", "allow_anonymous true")
        );
        Assert.That(remarks, isTold ? Has.One.StartsWith("a.conf:5: the rights of b let") : Is.Empty);
    }

    [Test]
    public void The_rights_of_the_end_that_opens_the_bridge_do_not_count()
    {
        File.WriteAllText(In("rights"), "user nobody\ntopic read z\n");
        Assert.That(
            Remarks(ConfRule.AclPattern, A("topic x/# both 1").Replace("persistence true", "acl_file rights"), B()),
            Is.Empty
        );
    }

    [Test]
    public void A_pattern_without_a_place_is_for_everybody()
    {
        File.WriteAllText(In("rights"), "topic y\npattern readwrite x/#\npattern read %u/#\n");
        Assert.That(
            Remarks(ConfRule.AclPattern, B("acl_file rights")),
            Is.EqualTo([
                "rights:2: a pattern without %u and %c gives 'x/#' to every client, whatever its name | "
                    + "'topic readwrite x/#' below the 'user' that it is meant for",
            ])
        );
    }

    [Test]
    public void A_file_that_is_not_here_says_nothing() =>
        Assert.That(Remarks(ConfRule.AclPattern, A("topic x/# out 1"), B("acl_file /nowhere/at/all")), Is.Empty);
}
