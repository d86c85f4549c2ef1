using MqttCheck.Reports.Formats;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class NoticesTests
{
    [Test]
    public void A_warning_not_to_trust_the_numbers_comes_before_the_other_notes()
    {
        const string Caution = "10 clients of up1: too busy";
        var notices = Notices.Of(
            SampleReports.Empty with
            {
                Warnings = ["Warm-up took 3 s", Caution, "A third note"],
                Cautions = [Caution],
            }
        );
        Assert.That(
            notices.Select(notice => (notice.Level, notice.Title)),
            Is.EqualTo([(NoticeLevel.Warning, "Caution"), (NoticeLevel.Note, "Note"), (NoticeLevel.Note, "Note")])
        );
    }

    [Test]
    public void Notes_that_differ_in_setup_and_numbers_only_are_one_note_that_keeps_the_others()
    {
        var notices = Of(
            "100 clients of up1: 12.5 exchanges are open.",
            "Another matter.",
            "2,000 clients of up2: 99 exchanges are open."
        );
        Assert.That(
            notices.Select(notice => notice.Text),
            Is.EqualTo(["100 clients of up1: 12.5 exchanges are open.", "Another matter."])
        );
        Assert.That(
            (notices[0].Others, notices[0].More),
            Is.EqualTo(((string[])["2,000 clients of up2: 99 exchanges are open."], " (1 more like it.)"))
        );
        Assert.That(notices[1].More, Is.Empty);
    }

    private static List<Notice> Of(params string[] warnings) =>
        [.. Notices.Of(SampleReports.Empty with { Warnings = warnings })];
}
