using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests.Page;

public sealed class ViewerTests
{
    [Test]
    public void The_lock_file_names_no_registry()
    {
        var text = File.ReadAllText(RepositoryFiles.At("src/MqttCheck.Reports/viewer/package-lock.json"));
        Assert.That(text, Does.Not.Contain("resolved").And.Not.Contain("http").And.Contain("\"integrity\": \"sha512-"));
    }

    [Test]
    public void The_bundle_cannot_end_its_script_element()
    {
        TestBrowser.RequireViewer();
        Assert.That(Viewer.Script, Does.Not.Contain("</script").IgnoreCase.And.Not.Contain("<!--"));
    }
}
