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

    // Without users a name is as good as none; with users it has to be one of them, with its password, even where
    // anonymous clients may connect.
    [TestCase("", false, false, false, false)]
    [TestCase("anonymous no", false, false, false, false)]
    [TestCase("anonymous yes", true, true, true, true)]
    [TestCase("anonymous yes\nanonymous no", false, false, false, false)]
    [TestCase("anonymous no\nanonymous yes", true, true, true, true)]
    [TestCase("user alice secret", false, false, false, true)]
    [TestCase("anonymous yes\nuser alice secret", true, false, false, true)]
    public void Who_may_connect_is_known_by_name_and_password(
        string text,
        bool nobody,
        bool bob,
        bool wrongPassword,
        bool alice
    )
    {
        var access = BrokerAccess.Parse(text, "test");
        Assert.That(
            (
                access.MayConnect(null, default),
                access.MayConnect("bob", "secret"u8),
                access.MayConnect("alice", "Secret"u8),
                access.MayConnect("alice", "secret"u8)
            ),
            Is.EqualTo((nobody, bob, wrongPassword, alice))
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
}
