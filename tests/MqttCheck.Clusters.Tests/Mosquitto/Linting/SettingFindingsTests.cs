using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

[TestFixture]
internal sealed class SettingFindingsTests : Lint
{
    [TestCase("local_cleansession false", true)]
    [TestCase("local_cleansession true", false)]
    [TestCase("cleansession true\nlocal_cleansession true", true)]
    [TestCase("cleansession true\nlocal_cleansession false", false)]
    [TestCase("bridge_protocol_version mqttv50\ntry_private false", true)]
    [TestCase("try_private false", false)]
    [TestCase("topic y/# out\nbridge_attempt_unsubscribe false", false)]
    [TestCase("bridge_attempt_unsubscribe false", true)]
    [TestCase("threshold 5", true)]
    [TestCase("start_type lazy\nthreshold 5", false)]
    [TestCase("start_type lazy\nidle_timeout 60", false)]
    [TestCase("idle_timeout 60", true)]
    [TestCase("start_type once\nrestart_timeout 5", true)]
    [TestCase("restart_timeout 5", false)]
    [TestCase("round_robin true", true)]
    [TestCase("notifications false\nnotification_topic x", true)]
    [TestCase("notification_topic x", false)]
    [TestCase("notifications false\nnotifications_local_only true", true)]
    public void A_setting_of_a_bridge_that_changes_nothing_is_told(string settings, bool isTold)
    {
        var remarks = Remarks(ConfRule.NoEffect, A("topic x/# both 1", settings), B());
        var line = 5 + settings.Split('\n').Length;
        Assert.That(
            remarks,
            isTold ? Has.One.StartsWith($"a.conf:{line}: '{settings.Split('\n', ' ')[^2]}'") : Is.Empty
        );
    }

    [TestCase("autosave_interval 60")]
    [TestCase("autosave_on_changes true")]
    [TestCase("persistence_location /var/lib/mosquitto/")]
    public void Settings_of_the_disk_need_persistence(string setting)
    {
        Assert.That(
            Remarks(ConfRule.NoEffect, "listener 1883\n" + setting + "\n"),
            Has.One.StartsWith("a.conf:2: ").And.Contain("nothing is saved without persistence")
        );
        Assert.That(Remarks(ConfRule.NoEffect, $"persistence true\n{setting}\n"), Is.Empty);
    }

    [Test]
    public void A_setting_of_a_later_version_is_told_with_that_version()
    {
        Assert.That(
            Remarks(ConfRule.NewerKey, A("topic x/# both 1", "bridge_tcp_keepalive 5"), B()),
            Has.One.Contains("needs Mosquitto 2.1; 2.0.11 refuses it")
        );
        Assert.That(Remarks(ConfRule.NewerKey, A("topic x/# both 1"), B()), Is.Empty);
    }
}
