using MqttCheck.Shards;
using MqttCheck.Workers.Computing;

namespace MqttCheck.Workers.Tests.Computing;

[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class JobStoreTests
{
    private readonly JobStore _jobs = new(new JobCatalogue().Add(CountingJob.Kind, CountingJob.Parse));

    [Test]
    public void A_part_travels_once_however_many_jobs_share_it()
    {
        byte[] shared = [1, 2, 3];
        JobDescription one = new(CountingJob.Kind, (byte[])[7], shared),
            other = new(CountingJob.Kind, (byte[])[8], shared);
        Assert.That(_jobs.Offer(one.Kind, one.Hash, [.. one.Hashes]), Is.EqualTo(one.Hashes));
        Assert.That(_jobs.Find(one.Hash), Is.Null);
        for (var i = 0; i < 2; i++)
            Assert.That(_jobs.Supply(one.Hashes[i], one.Parts[i]), Is.Null);
        Assert.That(_jobs.Find(one.Hash), Is.Not.Null);
        Assert.That(_jobs.Offer(other.Kind, other.Hash, [.. other.Hashes]), Is.EqualTo(other.Hashes.Take(1)));
    }

    [Test]
    public void Content_that_is_not_what_its_name_says_is_refused_with_both_hashes()
    {
        var refusal = _jobs.Supply(JobDescription.HashOf([1]), [2]);
        Assert.That(refusal, Does.Contain(JobDescription.HashOf([1])).And.Contain(JobDescription.HashOf([2])));
    }

    [Test]
    public void A_job_that_was_not_used_for_long_is_forgotten_and_asked_for_again()
    {
        for (byte i = 0; i < 40; i++)
        {
            var job = new JobDescription(CountingJob.Kind, (byte[])[i]);
            _jobs.Offer(job.Kind, job.Hash, [.. job.Hashes]);
            _jobs.Supply(job.Hashes[0], job.Parts[0]);
            Assert.That(_jobs.Find(job.Hash), Is.Not.Null);
        }
        Assert.That(_jobs.Find(new JobDescription(CountingJob.Kind, (byte[])[0]).Hash), Is.Null);
    }
}
