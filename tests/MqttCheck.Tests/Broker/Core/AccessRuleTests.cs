using MqttCheck.Broker.Core;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>What single lines of access rules say, and what they do not.</summary>
public sealed class AccessRuleTests
{
    [TestCase("allow * publish a", true, false)]
    [TestCase("allow * subscribe a", false, true)]
    [TestCase("allow * both a", true, true)]
    [TestCase("deny * publish a\nallow * both a", false, true)]
    [TestCase("deny * subscribe a\nallow * both a", true, false)]
    [TestCase("deny * both a\nallow * both a", false, false)]
    [TestCase("allow alice both a\ndeny * both a", true, true)]
    [TestCase("allow bob both a", false, false)]
    [TestCase("deny bob both a\nallow * both a", true, true)]
    [TestCase("deny * both b\nallow * both +", true, true)]
    [TestCase("", true, true)]
    public void A_line_is_about_its_action_its_user_and_its_topics(string text, bool mayPublish, bool maySubscribe)
    {
        var access = BrokerAccess.Parse(text, "test");
        Assert.That(
            (access.MayPublish("alice", "a"), access.MaySubscribe("alice", "a"), access.HasNoRules),
            Is.EqualTo((mayPublish, maySubscribe, text.Length == 0))
        );
    }

    [TestCase("", false)]
    [TestCase("anonymous no", false)]
    [TestCase("anonymous yes", true)]
    [TestCase("anonymous yes\nanonymous no", false)]
    [TestCase("anonymous no\nanonymous yes", true)]
    public void Without_users_a_name_is_as_good_as_none(string text, bool mayConnect)
    {
        var access = BrokerAccess.Parse(text, "test");
        Assert.That(
            (access.MayConnect(null, default), access.MayConnect("bob", "x"u8)),
            Is.EqualTo((mayConnect, mayConnect))
        );
    }

    [Test]
    public void With_users_a_name_has_to_be_one_of_them_even_where_anonymous_clients_may_connect()
    {
        var access = BrokerAccess.Parse("anonymous yes\nuser alice secret", "test");
        Assert.That(
            (
                access.MayConnect(null, default),
                access.MayConnect("bob", "secret"u8),
                access.MayConnect("alice", "secret"u8)
            ),
            Is.EqualTo((true, false, true))
        );
    }

    [Test]
    public void Comments_and_blanks_are_left_out_and_lines_are_counted()
    {
        const string Text = "# user alice\n\n   \n#allow\n  user alice secret  \r\nuser\nanonymous maybe";
        const string Allowed =
            "allowed are 'user NAME PASSWORD', 'anonymous yes|no', 'allow|deny USER|* publish|subscribe|both FILTER'";
        Assert.That(
            () => BrokerAccess.Parse(Text, "rules"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    $"rules, line 6: 'user' with 0 words after it is not a line of access rules; {Allowed}.\n"
                        + $"rules, line 7: 'anonymous' with 1 words after it is not a line of access rules; {Allowed}."
                )
        );
    }

    [Test]
    public void The_open_broker_has_no_rules() =>
        Assert.That(
            (
                BrokerAccess.Open.HasNoRules,
                BrokerAccess.Open.MayConnect(null, default),
                BrokerAccess.Open.MayPublish(null, "a"),
                BrokerAccess.Open.MaySubscribe(null, "#")
            ),
            Is.EqualTo((true, true, true, true))
        );
}
